// Shows a post with its conversation in every format.
import type { Conversation } from '../../model/resources.ts';
import { conversationHtml } from '../../render/html/conversation.ts';
import type { Presenter, ResourceView } from '../../render/presenters/view.ts';
import { missingIn, presentPostData } from './document.ts';

export const presentPost: Presenter<Conversation, ResourceView<Conversation>> = (result, urls) => ({
  ...presentPostData(result, urls),
  html: () =>
    conversationHtml(result.value, urls.baseUrl, {
      service: urls.service,
      warnings: result.warnings,
      missing: missingIn(result.warnings),
      reading: urls.reading,
      isAlone: urls.isAlone,
    }),
});
