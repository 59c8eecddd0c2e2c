/** Keys for tests. Bits and fingerprints are those printed by `ssh-keygen -l -E md5` (OpenSSH 9.2). */
export interface ExampleKey {
  content: string;
  bits: number;
  fingerprint: string;
}

/**
 * An example of every accepted type. The security keys are written by hand, because
 * only hardware can make one.
 */
export const EXAMPLE_KEYS: readonly ExampleKey[] = [
  {
    content:
      'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC3DG0guEL/zyvjHLGud8Gzwiw9Sk1zNfrjCiw7Jrkcctm2pb34vaigVKq3O5A81GMrkogaMGDlGcRH5c0L6u9C3JZb7GrTfiDqhgk/KqDqwEksATpXJd1IXmVj7z0O921lIIg4hN0VehXN+o+aSdGXeP6RiiYC3YLQKOgSQ2dvQBN51UZRfEKZDcre0zSBr0oX3jA3P+YyAz9elQhxX505i3N0omEXia5zK0BWLpLZGUY7tTbP/r6WmvZwpsZasliNr/qmb/c97VZzsCND4VH+b7CSll0nToYlJiFKp79QJETwTxge2Y+w1jh14rlKceA9YzGaCrsakXR+aiWJzkE3 ann@laptop',
    bits: 2048,
    fingerprint: 'd0:41:14:44:fe:c3:32:ce:77:14:d4:f3:a8:5c:36:fe',
  },
  {
    content:
      'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAACAQCZwrqVHgSn7MOmXgjVt7fEQVtI0DHZmueU3jNyQCTWfkkBptRZQHArJ7d5rTBNrTEn4ZBptrNe2gWh9Sqd/xY/aNouzPxCnvwxgt+N81WcWJHbQSKycd26WygPu0fjzylv7kLiYCHkB6+r0oK8Owws+b747FE3qKrCQuG9aQjjU6nG8AJXlSwOlfiLazb0Atm5G1jvuthS1TgwVfg3agDwnaYAfIg6QV1mM+HzPc80sEsOPraN9PUSLHRz9eRwgMpm4vJATdZRDdJ2rgeY38t4CdOv90fU3Zr3Q88Yd+tAWM0jMJuZwjXVp810526mXQSDMbKbkjZaFOXbAW63UzuadSxgv9u0yC767m2qQnQyWLGe7DG1wSsAtO5QxBqSRtDBSoxH8wwmsiW1Haxq1pFzVxgP88Fll3ZV4aEDdZ44PeMh5B4X1gREPtRTTkQAXEUHnCahMC94drTNUru4tI+/JtQ+uW/yaaBTwOpa1JvZxa2Obc3UVhvc8+C1kmnT/lqpjiRSPvFZpgoyJgFboofcXTEVoke8+QQlqUMEZrXon9LlEYP6e6A3DG4POKTbaZVXKoLp7HV1Ei51IIN8/BuL71Sln7TxwKPAmAgTUPFWeszCO/IgxsayKXmnZL6/pcpyJTziYWAhq31wzNaHeuZB5+zeQg5KifZLM93GO4iF+Q== deploy key of the shop',
    bits: 4096,
    fingerprint: 'bc:fc:da:6a:d3:ca:fd:34:0c:dc:dc:c6:3f:8e:4b:65',
  },
  {
    content:
      'ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBC9uBX52/9dNI1fNYhKdhZAJeEMrhtI+xG5V4vHNFztv92RfUgfovI5pwOL5Lg0mW1F0n9K9kSuby+DRZ2rQXQc= ci@build256',
    bits: 256,
    fingerprint: '70:9f:bf:7d:c4:db:d3:a1:70:69:98:ff:30:c4:7a:6b',
  },
  {
    content:
      'ecdsa-sha2-nistp384 AAAAE2VjZHNhLXNoYTItbmlzdHAzODQAAAAIbmlzdHAzODQAAABhBE9j1f37EgaQCMaQS24HjAziWs1HXyJunYmgxzSZxzRK45Of7WPy72dkBbCO9B/FTUX72s7C+mCLdq+vVY1kj5FQm43QHik2cn6XRWLs/D5JFF/8F4rKt4QBxcWPl/RG8g== ci@build384',
    bits: 384,
    fingerprint: 'b3:5e:20:31:b7:41:34:e0:54:45:18:39:57:59:f6:07',
  },
  {
    content:
      'ecdsa-sha2-nistp521 AAAAE2VjZHNhLXNoYTItbmlzdHA1MjEAAAAIbmlzdHA1MjEAAACFBABP4tMcBqCHH5Lr+jbVmCJPOhDBu+2ISSRngcWbIY849hpo/63+j03E+SDouRMG26QOEMZp+EEcbrFPE7ZveBddXQEeVSJ6VTdFNMttusFse7IRbszFUF99u+AQ716+9zPo/i7BgGYE09Ydwjnhsw9cB6AjkpZAaqCdVqXXSDuYV8LS7w== ci@build521',
    bits: 521,
    fingerprint: '25:b9:07:61:2a:cf:57:4f:e0:9a:1d:a1:6d:a8:73:2a',
  },
  {
    content:
      'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKnc0cw704uWjMYQckcofOgv0paLcJEPjODqsUNs0f11 Zoë Müller 日本',
    bits: 256,
    fingerprint: 'be:b0:d8:85:1e:2c:f6:7e:bb:8e:50:e3:dd:7f:9a:8d',
  },
  {
    content: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICFR8BcI4KY9wSE+hPfhb+IRAA6HjVpRjvPfpW8GC7lB',
    bits: 256,
    fingerprint: 'ec:19:10:85:81:0f:1c:f8:ae:24:5f:42:73:4d:80:26',
  },
  {
    content:
      'sk-ssh-ed25519@openssh.com AAAAGnNrLXNzaC1lZDI1NTE5QG9wZW5zc2guY29tAAAAIKnc0cw704uWjMYQckcofOgv0paLcJEPjODqsUNs0f11AAAABHNzaDo= token',
    bits: 256,
    fingerprint: '63:78:3e:e7:4a:19:35:f3:a5:7c:48:96:0b:96:2a:96',
  },
  {
    content:
      'sk-ecdsa-sha2-nistp256@openssh.com AAAAInNrLWVjZHNhLXNoYTItbmlzdHAyNTZAb3BlbnNzaC5jb20AAAAIbmlzdHAyNTYAAABBBC9uBX52/9dNI1fNYhKdhZAJeEMrhtI+xG5V4vHNFztv92RfUgfovI5pwOL5Lg0mW1F0n9K9kSuby+DRZ2rQXQcAAAARc3NoOnBhbmVsLmV4YW1wbGU= token 2',
    bits: 256,
    fingerprint: 'f3:8e:30:8c:48:1f:5f:3f:b7:5d:71:a2:b8:33:0d:47',
  },
];

/** Well-formed, but refused. */
export const RSA_1024_KEY =
  'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQDcM4FHJmp28/t9r9M+1v+jd5OwOp2mh7U7v3hZVWl2gVFlUElG/CDa53V1GG/K92RrT56JRRnbjF1DOpQZ9fhZcM8lF1OYQHADnA/m96fda7J4IAGkPJRYovKJ8tYqyA464aSs0eHUXRNE0/gH1IV113lnlBKk7WZ+0+WEWrjFaw== short';

export const DSA_KEY =
  'ssh-dss AAAAB3NzaC1kc3MAAACBALUFkus2lvSeqP9gJfrLguCLHJfYUYUYQb1jBciT72acOA39AuEM6o0FDFIc2E4UxpyFvLazSYbkF+N4B7n//rO9k2fYXd9I4HuSt73hM5dOOJUHkeFrRar/9GPO36OBgE1gGciDWt3w1AN7oy+yV0eQKi8QA4eG0pKenvVwfVszAAAAFQCZEDLac0c2uT6U/v4VJnJQqIQL4QAAAIBGm2FZK7pHoQnrzUDgW6aYQxcyS6n8nGtsOGfcyqnXb7b7Fl1kJBKjEOxxkgmhkMR8g65ENN1Ypf+KKIxcnIL1K1yuiqfUics88evF2uJGUZNO9JPEwdzLzXUi8cMAzH+NIO9OnAHXuHTIJQKjrnmQadIIzGcRz4Mc0Lgdfp8F7wAAAIBV7xcVvhEiitOycD2myqx0eXYBkhrSc+swVl/wazVrG+F3ZXQogedRCtFg76LguNpFFe3dYBG9VZ26NXDVSiw5KUlgW4PqFlx6Kfjz+1bpm1ZnuPjgWxYNSx9rnUDe9E6eq/5AoG5X35RRLOwNofJQBu9qyhyAm3Rh4bCS4AtXtg== old';

export const CERTIFICATE_KEY =
  'ssh-ed25519-cert-v01@openssh.com AAAAIHNzaC1lZDI1NTE5LWNlcnQtdjAxQG9wZW5zc2guY29tAAAAIIb6k4AuRNQt1a7Bes/N2e1Ytttcpb6NI6lP5qf72/fyAAAAIKnc0cw704uWjMYQckcofOgv0paLcJEPjODqsUNs0f11AAAAAAAAAAAAAAABAAAAAmlkAAAACAAAAARyb290AAAAAAAAAAD//////////wAAAAAAAACCAAAAFXBlcm1pdC1YMTEtZm9yd2FyZGluZwAAAAAAAAAXcGVybWl0LWFnZW50LWZvcndhcmRpbmcAAAAAAAAAFnBlcm1pdC1wb3J0LWZvcndhcmRpbmcAAAAAAAAACnBlcm1pdC1wdHkAAAAAAAAADnBlcm1pdC11c2VyLXJjAAAAAAAAAAAAAAAzAAAAC3NzaC1lZDI1NTE5AAAAIOZWPyY7vywCiYA5kUJ5zGwJVOEEKjMMoV3s7PmSci78AAAAUwAAAAtzc2gtZWQyNTUxOQAAAECdmumgcfBg/n/gCrpS12cuWineUTucnII2oKgIvvSfs3LuVCQ+EWIC16ex5DqaAzP8d/Cz9A2vmzx8r06xWRAP Zoë Müller 日本';
