// The providers that an operator can put in order.

export const providerNames = ['fxtwitter', 'syndication'] as const;

export type ProviderName = (typeof providerNames)[number];

export const isProviderName = (name: string): name is ProviderName => providerNames.some((known) => known === name);
