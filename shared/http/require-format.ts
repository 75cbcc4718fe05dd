// Chooses the format that a request accepts.
import { mediaTypes, type NegotiableFormat, type Negotiation } from '../contract/media-types.ts';
import { problem } from '../contract/problems.ts';
import { negotiateFormat } from './content-negotiation.ts';
import { type HttpEvent, headerOf } from './event.ts';

/** @throws Problem `not_acceptable`, which lists the offers */
export const requireFormat = (event: HttpEvent, negotiation: Negotiation): NegotiableFormat => {
  const chosen = negotiateFormat(headerOf(event, 'accept'), negotiation);
  if (chosen !== undefined) return chosen;
  const offers = negotiation.offers.map((offer) => mediaTypes[offer]);
  throw problem('not_acceptable', { detail: `This address offers ${offers.join(', ')}.` });
};
