/** Why a value is taken out. Stable. */
export const removalKinds = [
  'secret',
  'token',
  'code',
  'credential',
  'cookie',
  'custom_header',
  'signature',
  /** Of what was taken out: whoever has it can try values until it fits. Lengths of bodies are among them. */
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

/** What is redacted, as users see it: each class can be left in but `secrets`, without which there would be no redaction, and `rules`. */
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

/** The class that a kind belongs to. */
export function removalClassOf(kind: (typeof removalKinds)[number]): RemovalClass {
  return (
    removalClassNames.find((name) => removalClasses[name].some((one) => one === kind)) ?? 'secrets'
  )
}

/** Classes of values that may stay in a redacted file, by the user's choice. */
export const keepableClasses = ['contacts', 'names', 'payment', 'network'] as const
export type KeepableClass = (typeof keepableClasses)[number]

/** What redaction replaces, by class, as the interface, exported files, the command line and the README say it. */
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

/** What redaction does not replace. */
export const redactionLimits =
  'IDs are not replaced, including those of guests. A name in free text or in any other field cannot be recognized.'
