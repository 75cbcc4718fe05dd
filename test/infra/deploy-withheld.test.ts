import { describe, expect, it } from 'vitest';
import { readConfig } from '../../infra/config.ts';
import { type DeploymentRecord, recordOf } from '../../infra/deploy/template.ts';
import { invalidationPaths, withheldChanges } from '../../infra/deploy/withheld.ts';

const recorded = (...withheld: readonly object[]): DeploymentRecord => recordOf(readConfig({}, { withheld }));

const POST = { post: 'https://fxtwitter.com/Jack/status/20?s=20', reason: 'copyright' };
const PROFILE = { profile: '@Ada', reason: 'court', until: '2099-01-31' };

describe('[withheld 4] the list of a deployment', () => {
  it('names what is new, what changes and what goes', () => {
    const textsOf = (...records: Parameters<typeof withheldChanges>) =>
      withheldChanges(...records).map(({ text }) => text);
    expect(textsOf(recorded(), recorded(POST, PROFILE))).toEqual([
      'the post 20 of @Jack is withheld: copyright',
      '@Ada is withheld: court, until 2099-01-31T00:00:00.000Z',
    ]);
    expect(textsOf(recorded(POST, PROFILE), recorded({ ...PROFILE, reason: 'other' }))).toEqual([
      '@Ada stays withheld: other, until 2099-01-31T00:00:00.000Z',
      'the post 20 of @Jack is shown again',
    ]);
    expect(textsOf(recorded(POST), recorded({ post: '20', reason: 'copyright' }))).toEqual([]);
  });

  it('lets the caches forget the paths of a post', () => {
    const paths = [
      '/api/v1/posts*',
      '/jack/status/20*',
      '/i/status/20*',
      '/jack/statuses/20*',
      '/i/statuses/20*',
      '/jack/article/20*',
      '/i/article/20*',
      '/i/web/status/20*',
      '/api/v1/oembed*',
      '/oembed*',
      '/api/convert*',
    ];
    expect(invalidationPaths(recorded(), recorded(POST)).toSorted()).toEqual(paths.toSorted());
    expect(invalidationPaths(recorded(POST), recorded()).toSorted()).toEqual(paths.toSorted());
    expect(invalidationPaths(undefined, recorded(POST)).toSorted()).toEqual(paths.toSorted());
  });

  it('lets the caches forget the profile, its posts, lists and feeds', () => {
    const paths = invalidationPaths(recorded(), recorded(PROFILE));
    expect(paths).toEqual(
      expect.arrayContaining([
        '/ada',
        '/ada?*',
        '/ada/*',
        '/api/v1/profiles/ada',
        '/api/v1/profiles/ada/*',
        '/i/user/*',
      ]),
    );
    expect(paths.filter((path) => path.endsWith('*')).length).toBeLessThanOrEqual(15);
    expect(paths).not.toContain('/*');
  });

  it('lets the caches forget everything if the path is not known, or if there are too many', () => {
    expect(invalidationPaths(recorded(), recorded({ post: '20', reason: 'other' }))).toEqual(['/*']);
    const many = ['a', 'b', 'c'].map((profile) => ({ profile, reason: 'other' }));
    expect(invalidationPaths(recorded(), recorded(...many))).toEqual(['/*']);
  });

  it('forgets nothing if the list is the same', () => {
    expect(invalidationPaths(recorded(POST), recorded(POST))).toEqual([]);
  });
});
