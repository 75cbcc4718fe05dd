// CHANGELOG.md keeps the form of Keep a Changelog 1.1.0, and the release is read from it whatever stands under Unreleased.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { releaseOf } from '../../shared/publish/document.ts';

const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');

const KINDS = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
const VERSION = /^(\d+)\.(\d+)\.(\d+) - (\d{4}-\d{2}-\d{2})$/;

interface Section {
  readonly title: string;
  readonly body: string;
}

/** @param level `##` for sections, `###` for kinds */
const sectionsOf = (text: string, level: string): readonly Section[] =>
  text
    .split(new RegExp(`^${level} `, 'm'))
    .slice(1)
    .map((part) => ({ title: part.split('\n', 1)[0] ?? '', body: part.slice(part.indexOf('\n') + 1) }));

const [unreleased, ...released] = sectionsOf(changelog, '##');

describe('CHANGELOG.md', () => {
  test('has a section for what is not released yet, before all others', () => {
    expect(unreleased?.title).toBe('[Unreleased]');
  });

  test('has a dated section for each version, the newest first', () => {
    const versions = released.map(({ title }) => VERSION.exec(title)?.slice(1) ?? [title]);
    expect(versions.filter((parts) => parts.length !== 4)).toEqual([]);
    const keys = versions.map(([major = '', minor = '', patch = '']) => [major, minor, patch].map(Number));
    for (const [index, key] of keys.slice(1).entries()) {
      const newer = keys[index] ?? [];
      const differing = key.findIndex((part, place) => part !== newer[place]);
      expect(newer[differing], `${newer.join('.')} stands above ${key.join('.')}`).toBeGreaterThan(key[differing] ?? 0);
    }
    const dates = versions.map(([, , , date = '']) => date);
    expect(dates).toEqual(dates.toSorted().toReversed());
    expect(released[0]?.title.startsWith(`${packageJson.version} - `)).toBe(true);
  });

  test('sorts every change under one of the six kinds, each at most once and none empty', () => {
    for (const { title, body } of [...(unreleased === undefined ? [] : [unreleased]), ...released]) {
      const kinds = sectionsOf(body, '###');
      const names = kinds.map((kind) => kind.title);
      expect(
        names.filter((name) => !KINDS.includes(name)),
        title,
      ).toEqual([]);
      expect(names, title).toEqual([...new Set(names)]);
      for (const kind of kinds) expect(kind.body.trim(), `${title}, ${kind.title}`).toMatch(/^- /);
      expect(body.split(/^### /m, 1)[0]?.trim(), `${title} has words outside of its kinds`).toBe('');
      if (title !== '[Unreleased]') expect(kinds.length, title).toBeGreaterThan(0);
    }
  });
});

describe('the release', () => {
  const text = '## [Unreleased]\n\n### Added\n\n- Words about 9.9.9 - 2030-01-01.\n\n';

  test('is read from the section of the version, with or without brackets, below Unreleased', () => {
    expect(releaseOf(packageJson.version, changelog)).toEqual({
      version: packageJson.version,
      date: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
    });
    for (const heading of ['## 1.2.3 - 2026-12-01', '## [1.2.3] - 2026-12-01']) {
      expect(releaseOf('1.2.3', `${text}${heading}\n`)).toEqual({ version: '1.2.3', date: '2026-12-01' });
    }
  });

  test('is refused while its version has no dated section', () => {
    for (const wrong of [
      text,
      `${text}## 1.2.3\n`,
      `${text}## 1.2.30 - 2026-12-01\n`,
      `${text}## [1.2.3 - 2026-12-01\n`,
    ]) {
      expect(() => releaseOf('1.2.3', wrong)).toThrow('no dated section');
    }
  });
});
