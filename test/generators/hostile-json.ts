// Generates hostile provider responses by changing recorded ones. A response depends only on a seed and a number, so each
// one can be generated again.
import { hostileFragments } from './hostile-text.ts';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

// biome-ignore format: side by side they fit on a screen
const PROTOTYPE_NAMES = [
  '__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf', 'toLocaleString', 'propertyIsEnumerable', '__defineGetter__', '__lookupSetter__',
  'toJSON', 'then', 'length', 'name', 'call',
];

// biome-ignore format: side by side they fit on a screen
const NUMBERS = [0, -0, -1, 1.5, -1.5, 2 ** 31, 2 ** 53, -(2 ** 53), 2 ** 63, 1e21, 1e300, -1e300, 5e-324, 253_402_300_800, 8.64e15, 1e12, 99, 100.1];

// biome-ignore format: side by side they fit on a screen
const ADDRESSES = [
  'javascript:alert(1)', 'data:text/html,<script>alert(1)</script>', 'vbscript:x', '//evil.example', 'https://', 'https://a b', 'https://a.example/"onmouseover="alert(1)', "https://a.example/'onclick='x",
  'https://a.example/<script>', 'https://a.example/](javascript:x)', 'https://a.example/)[x](y', 'https://a.example/`*_~[]()', 'https://a.example/\\', 'https://a.example/&lt;b&gt;&quot;', 'HTTPS://A.EXAMPLE/X',
  'https://user:secret@a.example/', 'https://[::1]/', 'https://[', 'https://pbs.twimg.com.evil.example/a.jpg', 'https://pbs.twimg.com@evil.example/a.jpg', 'https://pbs.twimg.com/media/a.jpg"onerror="x',
  'https://pbs.twimg.com/media/a.jpg', 'http://pbs.twimg.com/media/a.jpg', 'https://video.twimg.com/a.mp4', 'https://a.example/\u202e', 'https://a.example/\u{e0041}\u200b', 'https://a.example/\ud800', 'https://a.example/\u0000',
  'https://a.example/\n# forged', `https://a.example/${'a'.repeat(5000)}`, 'https://日本.example/é', 'https://a.example/%zz', 'https://x.com/i/status/20', 'https://x.com/i/article/1', 'https://t.co/abcdefghij',
];

// biome-ignore format: side by side they fit on a screen
const TEXTS = [
  '', ' ', '\u0000', '\ud800', '\udfff', 'a\ud800b', '\u202e', '\u3164', '\u{e0100}'.repeat(50), '\u200d'.repeat(50), '👨\u200d', '\ufeff', 'null', 'NaN', '-1', '1e21', '9'.repeat(30), '+012345-01-01T00:00:00Z',
  '0000-00-00T00:00:00Z', '[x]('.repeat(200), '*'.repeat(500), '`'.repeat(500), '> '.repeat(300), '<a '.repeat(200), '&'.repeat(500), '\n'.repeat(500), '- '.repeat(300), '|'.repeat(300), 'ab'.repeat(3000),
  '# forged\n\n', '\n\n---\n\n', '<script>alert(1)</script>', '![x](http://evil.example/p.gif)', '```dataviewjs\nx\n```', '\r\n# forged', '\u2028# forged', ']]>', '--><script>', 'tombstone', 'status', 'constructor',
];

const nested = (depth: number, wrap: (inner: Json) => Json, innermost: Json): Json => {
  let value = innermost;
  for (let level = 0; level < depth; level += 1) value = wrap(value);
  return value;
};

/** Also defines names that an object literal cannot have, such as `__proto__`. */
const define = (target: object, name: string, value: Json): void => {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
};

const isObject = (value: Json): value is { [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A member of an object or an element of an array. */
interface Place {
  readonly parent: Json[] | { [name: string]: Json };
  readonly name: string;
}

const MOST_PLACES = 4000;

const placesIn = (root: Json): Place[] => {
  const places: Place[] = [];
  const open: Json[] = [root];
  for (let value = open.shift(); value !== undefined && places.length < MOST_PLACES; value = open.shift()) {
    if (typeof value !== 'object' || value === null) continue;
    for (const name of Object.keys(value)) {
      places.push({ parent: value, name });
      const member = get({ parent: value, name });
      if (typeof member === 'object') open.push(member);
    }
  }
  return places;
};

const get = ({ parent, name }: Place): Json => Reflect.get(parent, name);

const set = ({ parent, name }: Place, value: Json): void => define(parent, name, value);

/** The maximum length of a part that is copied. */
const MAX_COPIED_CHARACTERS = 40_000;

/** Copies a small part; a large part becomes null. */
const copy = (value: Json): Json => {
  const text = JSON.stringify(value);
  return text.length > MAX_COPIED_CHARACTERS ? null : JSON.parse(text);
};

/** Members that select the kind of an object. */
const NAMES_A_KIND =
  /^(?:type|__typename|reason|container|style|state|content_type|key|code|kind|name|event|provider)$/;

/**
 * Changes a recorded response in 1 to 6 places.
 *
 * @param others parts of these responses are inserted at wrong places
 * @returns the changes, for the report of a failure
 */
const mutate = (root: Json, others: readonly Json[], random: () => number): string[] => {
  const below = (most: number): number => Math.floor(random() * most);
  const one = <T>(values: readonly T[]): T => {
    const value = values[below(values.length)];
    if (value === undefined) throw new Error('nothing to choose from');
    return value;
  };
  const randomText = (): string =>
    Array.from({ length: 1 + below(4) }, () => one(hostileFragments)).join(one(['', ' ', '\n', '\n\n']));
  const scalar = (): Json =>
    one<() => Json>([
      () => null,
      () => random() < 0.5,
      () => one(NUMBERS),
      () => one(TEXTS),
      randomText,
      () => one(PROTOTYPE_NAMES),
      () => one(ADDRESSES),
    ])();
  const quotes = (member: string): Json =>
    nested(
      one([3, 6, 70, 2000]),
      (quote) => ({ type: 'status', __typename: 'Tweet', id: '9', id_str: '9', [member]: quote }),
      scalar(),
    );
  const strange = (): Json =>
    one<() => Json>([
      scalar,
      scalar,
      () => [],
      () => ({}),
      () => [scalar(), [scalar()], { id: scalar() }],
      () => ({ toString: 1, valueOf: 1, toJSON: 1 }),
      () => ({ length: 1e9, 0: scalar() }),
      () => nested(one([3, 50, 2000]), (inner) => [inner], scalar()),
      () => quotes(one(['quote', 'quoted_tweet'])),
    ])();
  const done: string[] = [];
  for (let left = 1 + below(6); left > 0; left -= 1) {
    const places = placesIn(root);
    if (places.length === 0) break;
    const kinds = random() < 0.4 ? places.filter(({ name }) => NAMES_A_KIND.test(name)) : [];
    const place = one(kinds.length > 0 ? kinds : places);
    const { parent, name } = place;
    const value = get(place);
    const changes: readonly (readonly [string, () => void])[] = [
      ['set', () => set(place, strange())],
      ['prototype', () => set(place, one(PROTOTYPE_NAMES))],
      ['null', () => set(place, null)],
      [
        'delete',
        () => void (Array.isArray(parent) ? parent.splice(Number(name), 1) : Reflect.deleteProperty(parent, name)),
      ],
      [
        'text',
        () =>
          set(
            place,
            typeof value === 'string'
              ? value.slice(0, below(value.length + 1)) + randomText() + value.slice(below(value.length + 1))
              : randomText(),
          ),
      ],
      ['address', () => set(place, one(ADDRESSES))],
      ['number', () => set(place, one(NUMBERS))],
      [
        'number as text',
        () => set(place, typeof value === 'number' ? String(value) : JSON.stringify(value).slice(0, 50)),
      ],
      ['text as number', () => set(place, typeof value === 'string' ? Number(value) || 0 : one(NUMBERS))],
      ['wrap', () => set(place, random() < 0.5 ? [value] : { [name]: value })],
      [
        'rename',
        () => {
          if (!isObject(parent)) return;
          Reflect.deleteProperty(parent, name);
          define(parent, one(PROTOTYPE_NAMES), value);
        },
      ],
      [
        'add',
        () => {
          if (isObject(value)) define(value, one(PROTOTYPE_NAMES), strange());
          else if (Array.isArray(value)) value.push(strange());
        },
      ],
      [
        'repeat',
        () => {
          if (!Array.isArray(value) || value.length === 0) return;
          const item = one(value);
          const most = Math.ceil(MAX_COPIED_CHARACTERS / JSON.stringify(item).length);
          const times = Math.min(one([2, 5, 20, 20, 1500]), most);
          for (let time = 0; time < times; time += 1) value.push(copy(item));
        },
      ],
      ['reverse', () => void (Array.isArray(value) && value.reverse())],
      [
        'graft',
        () => {
          const parts = placesIn(one(others));
          if (parts.length > 0) set(place, copy(get(one(parts))));
        },
      ],
      ['move', () => set(place, copy(get(one(places))))],
    ];
    const [change, apply] = one(changes);
    done.push(`${change} ${name}`);
    apply();
  }
  return done;
};

export interface HostileAnswer {
  /** The parsed JSON. */
  readonly json: unknown;
  readonly done: readonly string[];
}

/** @param recorded texts of JSON */
export const hostileAnswer = (recorded: string, others: readonly string[], random: () => number): HostileAnswer => {
  const root: Json[] = [JSON.parse(recorded)];
  const done = mutate(
    root[0] ?? null,
    others.map((text): Json => JSON.parse(text)),
    random,
  );
  // Serialized and parsed again, so that __proto__ is an own member as in parsed JSON.
  return { json: JSON.parse(JSON.stringify(root[0])), done };
};
