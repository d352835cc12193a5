/** Stable. */
export const removalKinds = [
  'secret',
  'token',
  'code',
  'credential',
  'cookie',
  'custom_header',
  'signature',
  /** They allow guessing values by trial. Includes body lengths. */
  'digest',
  'handle',
  'email',
  'phone',
  'name',
  'card',
  'iban',
  'ip_address',
  'rule',
  'unreadable',
] as const

/** As shown to users. Each class can be excluded from redaction except `secrets` and `rules`. */
export const removalClasses = {
  secrets: [
    'secret',
    'token',
    'code',
    'credential',
    'cookie',
    'custom_header',
    'signature',
    'digest',
    'unreadable',
  ],
  contacts: ['handle', 'email', 'phone'],
  names: ['name'],
  payment: ['card', 'iban'],
  network: ['ip_address'],
  rules: ['rule'],
} as const satisfies Record<string, readonly (typeof removalKinds)[number][]>
export type RemovalClass = keyof typeof removalClasses
export const removalClassNames = [
  'secrets',
  'contacts',
  'names',
  'payment',
  'network',
  'rules',
] as const satisfies RemovalClass[]

export function removalClassOf(kind: (typeof removalKinds)[number]): RemovalClass {
  return (
    removalClassNames.find((name) => removalClasses[name].some((member) => member === kind)) ??
    'secrets'
  )
}

/** The user can keep these in a redacted file. */
export const keepableClasses = ['contacts', 'names', 'payment', 'network'] as const
export type KeepableClass = (typeof keepableClasses)[number]

/** For the interface, exported files, the command line and the README. */
export const redactedValues = {
  secrets: {
    label: 'Secrets',
    values: 'tokens, credentials, cookies, custom headers, signatures',
  },
  contacts: { label: 'Contact details', values: 'phone numbers, email addresses, handles' },
  names: { label: 'Names', values: 'tab and order names, fields whose key names a person' },
  payment: {
    label: 'Card and account numbers',
    values: 'card numbers and IBANs, by their check digits',
  },
  network: {
    label: 'IP addresses',
    values: 'addresses of senders, in proxy headers, in fields whose key says so',
  },
} as const satisfies Record<'secrets' | KeepableClass, { label: string; values: string }>

export const redactionLimits =
  'IDs are not replaced, including those of guests. A name in free text or in any other field cannot be recognized.'
