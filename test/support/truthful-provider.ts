// Answers as both providers do for subjects that all exist: any post id, handle or query. Every answer names its subject,
// so a test can see if an answer is about the subject that it requested.

export interface ProviderAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

const CREATED_AT = 1_774_000_800;

const user = (handle: string, name = handle) => ({
  type: 'profile',
  screen_name: handle,
  id: `1${handle.length}`,
  name,
});

const AUTHOR = 'ada';

/** The text of the post with this id. */
export const postText = (id: string): string => `the text of post ${id}`;
/** The name of the profile with this handle. */
export const profileName = (handle: string): string => `the name of ${handle}`;
/** The text of the only post in the timeline of a profile. */
export const timelineText = (handle: string): string => `a post by ${handle}`;
/** The name of the only follower of a profile. */
export const followerName = (handle: string): string => `a follower of ${handle}`;
/** The text of the only post that a search finds. */
export const hitText = (query: string): string => `a hit for ${query}`;

const status = (id: string, text: string, author: string) => ({
  type: 'status',
  id,
  text,
  author: user(author),
  source: 'Web',
  created_timestamp: CREATED_AT,
});

const END = { top: null, bottom: null };

const json = (value: unknown): ProviderAnswer => ({
  status: 200,
  type: 'application/json',
  body: JSON.stringify(value),
});

const list = (...results: readonly object[]): ProviderAnswer => json({ code: 200, results, cursor: END });

const embedOf = (id: string): ProviderAnswer =>
  json({
    __typename: 'Tweet',
    id_str: id,
    text: postText(id),
    created_at: new Date(CREATED_AT * 1000).toISOString(),
    favorite_count: 0,
    user: { id_str: '13', name: AUTHOR, screen_name: AUTHOR },
  });

/** The path of a request at a provider, in its parts. */
export interface ProviderQuery {
  /** `other`: no path of a provider. */
  readonly kind: 'embed' | 'post' | 'profile' | 'timeline' | 'follows' | 'search' | 'other';
  /** The id, the handle or the query. */
  readonly subject: string;
}

/** @param path path and query, with or without a segment before it that names the provider */
export const parseProviderPath = (path: string): ProviderQuery => {
  const url = new URL(path, 'http://provider');
  const parts = /\/2\/(status|thread|conversation|profile)\/(\w+)(?:\/(\w+))?/.exec(url.pathname);
  const [, kind, subject = '', segment = ''] = parts ?? [];
  if (url.pathname.endsWith('/tweet-result')) return { kind: 'embed', subject: url.searchParams.get('id') ?? '' };
  if (url.pathname.endsWith('/2/search')) return { kind: 'search', subject: url.searchParams.get('q') ?? '' };
  if (kind === undefined) return { kind: 'other', subject: '' };
  if (kind !== 'profile') return { kind: 'post', subject };
  if (segment === '') return { kind: 'profile', subject };
  return { kind: segment.startsWith('follow') ? 'follows' : 'timeline', subject };
};

/** The path of another subject, to answer about it in place of the one that was asked for. */
export const otherPath = (path: string): string => {
  const { subject } = parseProviderPath(path);
  return path.replace(subject, /^\d+$/.test(subject) ? '1799999999999999999' : 'liar');
};

/** The answer of both providers about a subject that they do not have. */
export const answerMissing = (path: string): ProviderAnswer =>
  parseProviderPath(path).kind === 'embed'
    ? { status: 404, type: 'text/html', body: '<!DOCTYPE html><title>LEAKY</title>' }
    : {
        status: 404,
        type: 'application/json',
        body: '{"code":404,"message":"LEAKY not found","results":[],"status":null,"thread":null,"author":null}',
      };

/** An id for the only post of a list, such as a timeline. */
const idFor = (subject: string): string => `3${String(subject.length).padStart(3, '0')}${subject.replace(/\D/g, '')}`;

export const answerTruthfully = (path: string): ProviderAnswer => {
  const { kind, subject } = parseProviderPath(path);
  switch (kind) {
    case 'embed':
      return embedOf(subject);
    case 'post': {
      const post = status(subject, postText(subject), AUTHOR);
      const isConversation = path.includes('/2/conversation/');
      const around = isConversation ? { thread: [post], replies: [], cursor: null } : { thread: [post] };
      return json({ code: 200, status: post, ...(!path.includes('/2/status/') && around) });
    }
    case 'profile':
      return json({ code: 200, message: 'OK', user: user(subject, profileName(subject)) });
    case 'timeline':
      return list(status(idFor(subject), timelineText(subject), subject));
    case 'follows':
      return list(user(AUTHOR, followerName(subject)));
    case 'search':
      return list(status(idFor(subject), hitText(subject), AUTHOR));
    case 'other':
      return { status: 404, type: 'application/json', body: '{"code":404}' };
    default:
      return kind satisfies never;
  }
};
