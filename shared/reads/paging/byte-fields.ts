// Writes and reads the fields of a cursor as bytes: numbers, ids and texts, one after the other.

/** Runs of base64url (RFC 4648 section 5) that are worth packing. Four characters are three bytes, without unused bits. */
const PACKED = /(?:[A-Za-z0-9_-]{4}){4,}/g;

/** The names that nearly all cursors have take one byte. The order is part of the layout: new names go to the end. */
const SHORT_NAMES: readonly string[] = ['', 'fxtwitter', 'x_api'];

export interface ByteWriter {
  /** @param value from 0 to 2^31 - 1; 7 bits a byte, the lowest first */
  number(value: number): void;
  /** @param value from 0 to 255 */
  byte(value: number): void;
  /** 64 bits. */
  id(value: string): void;
  /** 24 bits. */
  fingerprint(value: number): void;
  /** The name of a provider. */
  name(value: string): void;
  /** A cursor of a provider: most are base64url, of which four characters take three bytes. */
  text(value: string): void;
  bytes(): Buffer;
}

/** @returns undefined if the text is not exactly the base64url of some bytes */
const unpacked = (text: string): Buffer | undefined => {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
};

export const createByteWriter = (): ByteWriter => {
  const parts: Buffer[] = [];
  const number = (value: number): void => {
    let left = value;
    for (; left > 127; left >>>= 7) parts.push(Buffer.of((left & 127) | 128));
    parts.push(Buffer.of(left));
  };
  const plain = (text: string): void => {
    const bytes = Buffer.from(text);
    number(bytes.length);
    parts.push(bytes);
  };
  return {
    number,
    byte: (value) => void parts.push(Buffer.of(value)),
    id(value) {
      const bytes = Buffer.alloc(8);
      bytes.writeBigUInt64BE(BigInt.asUintN(64, BigInt(value)));
      parts.push(bytes);
    },
    fingerprint(value) {
      const bytes = Buffer.alloc(3);
      bytes.writeUIntBE(value, 0, 3);
      parts.push(bytes);
    },
    name(value) {
      const index = SHORT_NAMES.indexOf(value);
      if (index !== -1) number(index);
      else {
        number(SHORT_NAMES.length);
        plain(value);
      }
    },
    // The number of bytes of which the text is the base64url, doubled, with 1 added; or the number of packed runs, doubled,
    // each after the text before it, and the text after the last one.
    text(value) {
      const whole = unpacked(value);
      if (whole !== undefined) {
        number(whole.length * 2 + 1);
        parts.push(whole);
        return;
      }
      const runs = [...value.matchAll(PACKED)];
      number(runs.length * 2);
      let end = 0;
      for (const { 0: run, index } of runs) {
        plain(value.slice(end, index));
        number(run.length / 4);
        parts.push(Buffer.from(run, 'base64url'));
        end = index + run.length;
      }
      plain(value.slice(end));
    },
    bytes: () => Buffer.concat(parts),
  };
};

export interface ByteReader {
  number(): number;
  byte(): number;
  id(): string;
  fingerprint(): number;
  name(): string;
  text(): string;
  /** The number of bytes that are left. */
  left(): number;
}

/** @param bytes that a ByteWriter wrote */
export const createByteReader = (bytes: Buffer): ByteReader => {
  let offset = 0;
  const take = (count: number): Buffer => {
    offset += count;
    return bytes.subarray(offset - count, offset);
  };
  const number = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = take(1).readUInt8();
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const plain = (): string => take(number()).toString('utf8');
  return {
    number,
    byte: () => take(1).readUInt8(),
    id: () => String(take(8).readBigUInt64BE()),
    fingerprint: () => take(3).readUIntBE(0, 3),
    name: () => SHORT_NAMES[number()] ?? plain(),
    text() {
      const head = number();
      if (head % 2 === 1) return take(head >> 1).toString('base64url');
      let text = '';
      for (let runs = head >> 1; runs > 0; runs -= 1) text += plain() + take(number() * 3).toString('base64url');
      return text + plain();
    },
    left: () => bytes.length - offset,
  };
};
