import { execFile, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeOrganisation } from '../support/factories/factories';
import { ADMIN, useService } from '../support/service/service';

const run = promisify(execFile);

/**
 * The newest package of OpenAPI Generator that holds its program; later ones fetch it from elsewhere when they first run. It
 * generates what libraries of its time expect, so the programs below bring a few words that are gone since.
 */
const GENERATOR = '@openapitools/openapi-generator-cli@1.0.18-4.3.1';
const INSTALLATION = 600_000;

const NAME = 'Bakkerij in drie talen';

/** Logs in with what the generator made, and prints the name of the organisation that it finds. */
const PHP = String.raw`<?php
namespace GuzzleHttp\Psr7 {
    function build_query($parts) { return Query::build($parts); }
}
namespace {
    [, $folder, $url, $username, $password, $filter] = $argv;
    require '/usr/share/php/GuzzleHttp/autoload.php';
    spl_autoload_register(function ($name) use ($folder) {
        if (!str_contains($name, '\\')) return class_alias("OpenAPI\\Client\\Model\\$name", $name);
        include $folder . '/lib/' . str_replace(['OpenAPI\\Client\\', '\\'], ['', '/'], $name) . '.php';
    });
    $configuration = OpenAPI\Client\Configuration::getDefaultConfiguration()->setHost($url);
    $http = new GuzzleHttp\Client();
    $body = new OpenAPI\Client\Model\LoginDto(['username' => $username, 'password' => $password]);
    $login = (new OpenAPI\Client\Api\LoginApi($http, $configuration))->authLogin($body);
    $configuration->setApiKey('Authorization', $login->getHash());
    $organisations = new OpenAPI\Client\Api\OrganisationsApi($http, $configuration);
    echo $organisations->organisationsList(0, 0, 'id', 'ASC', $filter)->getOrganisations()[0]->getName();
}
`;

const PYTHON = `
import sys
folder, url, username, password, filter = sys.argv[1:]
sys.path.insert(0, folder)
import openapi_client as api
configuration = api.Configuration(host=url)
with api.ApiClient(configuration) as client:
    login = api.LoginApi(client).auth_login(login_dto=api.LoginDto(username=username, password=password))
    configuration.api_key['Authorization'] = login.hash
    found = api.OrganisationsApi(client).organisations_list(limit=0, filter=filter)
    print(found.organisations[0].name, end='')
`;

const GO = `
package main

import (
	account "account"
	"context"
	"fmt"
	"github.com/antihax/optional"
	"os"
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	configuration := account.NewConfiguration()
	configuration.BasePath = os.Args[1]
	client := account.NewAPIClient(configuration)
	body := optional.NewInterface(account.LoginDto{Username: os.Args[2], Password: os.Args[3]})
	login, _, err := client.LoginApi.AuthLogin(context.Background(), &account.AuthLoginOpts{LoginDto: body})
	must(err)
	with := context.WithValue(context.Background(), account.ContextAPIKey, account.APIKey{Key: login.Hash})
	wanted := &account.OrganisationsListOpts{Limit: optional.NewInt32(0), Filter: optional.NewString(os.Args[4])}
	found, _, err := client.OrganisationsApi.OrganisationsList(with, wanted)
	must(err)
	fmt.Print(found.Organisations[0].Name)
}
`;

/** What generated Go imports for parameters that may be absent, which no package of the system brings. */
const OPTIONAL = ['Interface interface{}', 'Int32 int32', 'String string', 'Bool bool']
  .map((pair) => pair.split(' '))
  .map(
    ([name, type]) => `
type ${name} struct {
	isSet bool
	value ${type}
}

func New${name}(value ${type}) ${name} { return ${name}{true, value} }
func (o ${name}) IsSet() bool { return o.isSet }
func (o ${name}) Value() ${type} { return o.value }
`,
  );

const works = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0;
const IS_THERE = {
  php: works('php', '-r', `exit(is_file('/usr/share/php/GuzzleHttp/autoload.php') ? 0 : 1);`),
  python: works('/usr/bin/python3', '-c', 'import urllib3, dateutil, six, certifi'),
  go: works('go', 'version') && existsSync('/usr/share/gocode/src/golang.org/x/oauth2'),
};

const folder = mkdtempSync(join(tmpdir(), 'account-api-languages-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const generate = (...args: string[]): Promise<{ stdout: string }> =>
  run('npx', ['--yes', '--package', GENERATOR, '--', 'openapi-generator', ...args], { maxBuffer: 1e8 });

let hasGenerator: boolean;
beforeAll(async () => {
  hasGenerator =
    works('java', '-version') &&
    (await generate('version').then(
      () => true,
      () => false,
    ));
}, INSTALLATION);

const service = useService('A');

/** The client of a language, from the description that the service shows. */
async function clientIn(language: string): Promise<string> {
  const made = join(folder, language);
  const description = `${service.url}/docs/openapi-3.0.json`;
  await generate('generate', '-g', language, '-i', description, '-o', made);
  return made;
}

const expectToFind = async (command: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<void> => {
  await makeOrganisation(service, { name: NAME });
  const all = [...args, service.url, ADMIN.username, ADMIN.password, NAME];
  const { stdout } = await run(command, all, { env: { ...process.env, ...env } });
  expect(stdout).toBe(NAME);
};

describe('a client generated from the description in OpenAPI 3.0 logs in and reads, where its tools are installed:', () => {
  it('PHP', async () => {
    if (!hasGenerator || !IS_THERE.php) return;
    const program = join(folder, 'program.php');
    writeFileSync(program, PHP);
    await expectToFind('php', ['-d', 'error_reporting=8191', program, await clientIn('php')]);
  });

  it('Python', async () => {
    if (!hasGenerator || !IS_THERE.python) return;
    const program = join(folder, 'program.py');
    writeFileSync(program, PYTHON);
    await expectToFind('/usr/bin/python3', [program, await clientIn('python')]);
  });

  it('Go', async () => {
    if (!hasGenerator || !IS_THERE.go) return;
    const made = await clientIn('go');
    const source = join(folder, 'gopath/src');
    for (const path of ['account', 'program', 'github.com/antihax/optional'])
      mkdirSync(join(source, path), { recursive: true });
    for (const file of readdirSync(made).filter((name) => name.endsWith('.go')))
      cpSync(join(made, file), join(source, 'account', file));
    writeFileSync(join(source, 'program/main.go'), GO);
    writeFileSync(
      join(source, 'github.com/antihax/optional/optional.go'),
      `package optional\n${OPTIONAL.join('')}`,
    );
    const env = { GO111MODULE: 'off', GOFLAGS: '', GOPATH: `${join(folder, 'gopath')}:/usr/share/gocode` };
    const built = join(folder, 'program-go');
    await run('go', ['build', '-o', built, '.'], {
      cwd: join(source, 'program'),
      env: { ...process.env, ...env },
    });
    await expectToFind(built, []);
  });
});
