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
    what: 'Signature values,',
    how: 'while the verdict stays as it was at capture, with the body’s length and hash.',
  },
  {
    what: 'Guests’ handles, e-mail addresses and phone numbers',
    how: 'in bodies, headers, addresses, titles and notes.',
  },
  {
    what: 'The same value becomes the same pseudonym',
    how: 'within one file, so a guest stays that guest. It cannot be turned back: the key is thrown away.',
  },
] as const
