// Lists the fields to request from the official API. Without them it returns only ids and texts.

export type XApiParameters = Readonly<Record<string, string>>;

export const USER_PARAMETERS: XApiParameters = {
  'user.fields':
    'created_at,description,entities,location,profile_image_url,profile_banner_url,protected,public_metrics,url,verified,verified_type',
};

export const POST_PARAMETERS: XApiParameters = {
  'tweet.fields':
    'created_at,author_id,conversation_id,lang,public_metrics,entities,referenced_tweets,attachments,note_tweet,article,possibly_sensitive,in_reply_to_user_id,edit_history_tweet_ids,community_id,source',
  ...USER_PARAMETERS,
  'media.fields': 'url,preview_image_url,alt_text,variants,width,height,duration_ms,type',
  'poll.fields': 'options,end_datetime,voting_status',
  expansions:
    'author_id,attachments.media_keys,attachments.poll_ids,referenced_tweets.id,referenced_tweets.id.author_id,referenced_tweets.id.attachments.media_keys',
};
