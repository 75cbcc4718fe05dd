// Damages the content of a file as disks, copies and full volumes do, at places that a seed repeats.
import type { Random } from './random.ts';

type Damage = (content: Buffer, random: Random) => Buffer;

const placeIn = (content: Buffer, random: Random): number => Math.floor(random() * content.length);

const changed = (content: Buffer, change: (copy: Buffer) => void): Buffer => {
  const copy = Buffer.from(content);
  change(copy);
  return copy;
};

/** The place stays inside, and every byte changes. */
const garbleAt = (content: Buffer, place: number, length: number, random: Random): Buffer =>
  changed(content, (copy) => {
    for (let offset = place; offset < Math.min(place + length, copy.length); offset += 1)
      copy[offset] = (copy[offset] ?? 0) ^ (1 + Math.floor(random() * 255));
  });

export const damages: Readonly<Record<string, Damage>> = {
  'one bit changed': (content, random) =>
    changed(content, (copy) => {
      const place = placeIn(copy, random);
      copy[place] = (copy[place] ?? 0) ^ (1 << Math.floor(random() * 8));
    }),
  '300 bytes changed in one place': (content, random) => garbleAt(content, placeIn(content, random), 300, random),
  '300 bytes changed in as many places': (content, random) => {
    let garbled = content;
    for (let count = 0; count < 300; count += 1) garbled = garbleAt(garbled, placeIn(content, random), 1, random);
    return garbled;
  },
  'the first bytes changed': (content, random) => garbleAt(content, 0, 4, random),
  'the last byte changed': (content, random) => garbleAt(content, content.length - 1, 1, random),
  'a block of zeros': (content, random) => changed(content, (copy) => void copy.fill(0, placeIn(copy, random))),
  'a block from another place': (content, random) =>
    changed(content, (copy) => void content.copy(copy, placeIn(content, random), 0, 4096)),
  'the end cut off': (content, random) => content.subarray(0, placeIn(content, random)),
  'bytes added': (content) => Buffer.concat([content, Buffer.from('more')]),
  'no content': () => Buffer.alloc(0),
  'three bytes': (content) => content.subarray(0, 3),
  'other content': (content, random) => garbleAt(content, 0, content.length, random),
};
