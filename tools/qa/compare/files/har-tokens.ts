import type { Token } from 'stream-json/parser.js';
import { harRequest } from './har-request';
import { type Entry, MOST_OF_REQUEST } from './recorded';

export type HarToken = Token;

type Value = string | number | boolean | null | Value[] | { [name: string]: Value };

/** Depth of an entry, `log.entries[0]`, and of what an entry has. */
const ENTRY = 4;

/** Gathers `log.entries[].request` from the tokens of a HAR file, and forgets all else. */
export class HarTokens {
  /** The number of the last entry. */
  position = 0;
  isHar = false;
  private depth = 0;
  private readonly keys: string[] = [];
  private request?: RequestBuilder;
  private found?: Value | undefined;
  private hasBegun = false;

  /** Whether everything that was opened is closed again. */
  get isWhole(): boolean {
    return this.hasBegun && this.depth === 0;
  }

  /** The entry that ends with this token, if one does. */
  take(token: Token): Entry | undefined {
    if (this.request !== undefined) {
      const isAtEnd = this.request.take(token);
      if (!isAtEnd) return undefined;
      this.found = this.request.isTooLarge ? undefined : this.request.value;
      this.request = undefined;
      return undefined;
    }
    switch (token.name) {
      case 'keyValue':
        this.keys[this.depth] = token.value;
        return undefined;
      case 'startObject':
      case 'startArray':
        return this.open(token);
      case 'endObject':
      case 'endArray':
        return this.close();
      case 'endKey':
      case 'endNumber':
      case 'endString':
      case 'falseValue':
      case 'nullValue':
      case 'numberChunk':
      case 'numberValue':
      case 'startKey':
      case 'startNumber':
      case 'startString':
      case 'stringChunk':
      case 'stringValue':
      case 'trueValue':
      case 'whitespace':
        return undefined;
    }
  }

  private open(token: Token): undefined {
    this.hasBegun = true;
    const isInEntries = this.keys[1] === 'log' && this.keys[2] === 'entries';
    if (this.depth === ENTRY && isInEntries && this.keys[ENTRY] === 'request') {
      this.request = new RequestBuilder();
      this.request.take(token);
      return undefined;
    }
    this.depth += 1;
    this.keys[this.depth] = '';
    if (this.depth === ENTRY - 1 && isInEntries) this.isHar = true;
    if (this.depth === ENTRY && isInEntries) {
      this.position += 1;
      this.found = undefined;
    }
    return undefined;
  }

  private close(): Entry | undefined {
    const isEntry = this.depth === ENTRY && this.keys[1] === 'log' && this.keys[2] === 'entries';
    this.depth -= 1;
    return isEntry ? harRequest(this.found, this.position) : undefined;
  }
}

/** Builds one value from its tokens, of a size that can be held. */
class RequestBuilder {
  value: Value = null;
  isTooLarge = false;
  private readonly open: (Value[] | { [name: string]: Value })[] = [];
  private readonly keys: string[] = [];
  private text = '';
  private size = 0;

  /** Gives whether the value is whole. */
  take(token: Token): boolean {
    switch (token.name) {
      case 'startObject':
        // Without a prototype: a key may have any name.
        return this.begin(Object.create(null) as { [name: string]: Value });
      case 'startArray':
        return this.begin([]);
      case 'endObject':
      case 'endArray':
        this.open.pop();
        this.keys.pop();
        return this.open.length === 0;
      case 'keyValue':
        this.keys[this.open.length - 1] = token.value;
        return false;
      case 'startString':
        this.text = '';
        return false;
      case 'stringChunk':
        this.size += token.value.length;
        this.isTooLarge ||= this.size > MOST_OF_REQUEST;
        if (!this.isTooLarge) this.text += token.value;
        return false;
      case 'endString':
        return this.add(this.text);
      case 'numberValue':
        return this.add(Number(token.value));
      case 'nullValue':
      case 'trueValue':
      case 'falseValue':
        return this.add(token.value);
      case 'endKey':
      case 'endNumber':
      case 'numberChunk':
      case 'startKey':
      case 'startNumber':
      case 'stringValue':
      case 'whitespace':
        return false;
    }
  }

  private begin(container: Value[] | { [name: string]: Value }): boolean {
    if (this.open.length === 0) this.value = container;
    else this.add(container);
    this.open.push(container);
    this.keys.push('');
    return false;
  }

  private add(value: Value): boolean {
    const container = this.open.at(-1);
    if (Array.isArray(container)) container.push(value);
    else if (container !== undefined) container[this.keys.at(-1) ?? ''] = value;
    return false;
  }
}
