/** What is taken out without a rule, in plain words. */
export const byItself = [
  {
    what: 'Secrets, tokens and authorization codes',
    how: 'that Tabscope knows, wherever they stand, and what looks like one.',
  },
  {
    what: 'Authorization, Cookie and custom headers',
    how: 'by their value, as well as credentials in addresses.',
  },
  {
    what: 'Signatures, and digests and lengths of redacted bodies,',
    how: 'since values could be tried until one fits. The verdict stays as it was at capture.',
  },
  {
    what: 'Guests’ handles, email addresses and phone numbers',
    how: 'in bodies, headers, addresses, titles and notes.',
  },
  {
    what: 'Names, card and account numbers, and IP addresses',
    how: 'in fields that hold names, by check digits, and where proxies add them. A name in free text cannot be recognized.',
  },
  {
    what: 'The same value becomes the same pseudonym',
    how: 'within one file, so a guest stays that guest. It cannot be turned back: the key is thrown away.',
  },
] as const
