import { urlsOfHosts } from '@app/formats/connection-string';

/** The servers of one connection string, starting with the last one that worked. */
export class DatabaseHosts {
  private readonly urls: readonly string[];
  private position = 0;

  constructor(url: string) {
    this.urls = urlsOfHosts(url);
  }

  get count(): number {
    return this.urls.length;
  }

  get current(): string {
    return this.urls[this.position] ?? '';
  }

  /** Moves on to the next server, unless another connection has done so. */
  skip(url: string): void {
    if (url === this.current) this.position = (this.position + 1) % this.urls.length;
  }
}
