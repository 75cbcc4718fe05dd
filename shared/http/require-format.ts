// The representation that a request accepts, or the problem that says what there is.
import { mediaTypes, type NegotiableFormat, type Negotiation } from '../contract/media-types.ts';
import { problem } from '../contract/problems.ts';
import { negotiateFormat } from './content-negotiation.ts';
import { type HttpEvent, headerOf } from './event.ts';

/** @throws Problem `not_acceptable` with the offers in its detail */
export const requireFormat = (event: HttpEvent, negotiation: Negotiation): NegotiableFormat => {
  const chosen = negotiateFormat(headerOf(event, 'accept'), negotiation);
  if (chosen !== undefined) return chosen;
  const offers = negotiation.offers.map((offer) => mediaTypes[offer]);
  throw problem('not_acceptable', { detail: `This address offers ${offers.join(', ')}.` });
};
