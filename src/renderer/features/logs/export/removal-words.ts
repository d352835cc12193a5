import {
  AtSign,
  Cookie,
  CreditCard,
  EyeOff,
  FileQuestion,
  FileSignature,
  Hash,
  IdCard,
  KeyRound,
  Landmark,
  Mail,
  Network,
  Phone,
  Tags,
  Ticket,
  UserRound,
  ListFilter,
} from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { keepableClasses, redactedValues } from '#contract/redaction.ts'
import type { Removal } from '#contract/logs.ts'
import type { RemovalClass } from '#contract/redaction.ts'

interface KindWords {
  readonly word: string
  readonly icon: LucideIcon
  /** It is about a guest rather than about access. */
  readonly personal: boolean
}

/** What the reasons to take something out are called. */
export const removalKindWords = {
  secret: { word: 'Secret', icon: KeyRound, personal: false },
  token: { word: 'Token', icon: Ticket, personal: false },
  code: { word: 'Authorization code', icon: IdCard, personal: false },
  credential: { word: 'Credentials', icon: EyeOff, personal: false },
  cookie: { word: 'Cookie', icon: Cookie, personal: false },
  custom_header: { word: 'Custom header', icon: Tags, personal: false },
  signature: { word: 'Signature', icon: FileSignature, personal: false },
  digest: { word: 'Digest or length', icon: Hash, personal: false },
  handle: { word: 'Guest handle', icon: AtSign, personal: true },
  email: { word: 'E-mail address', icon: Mail, personal: true },
  phone: { word: 'Phone number', icon: Phone, personal: true },
  name: { word: 'Name', icon: UserRound, personal: true },
  card: { word: 'Card number', icon: CreditCard, personal: true },
  iban: { word: 'Bank account', icon: Landmark, personal: true },
  ip_address: { word: 'IP address', icon: Network, personal: true },
  rule: { word: 'Your rule', icon: ListFilter, personal: false },
  unreadable: { word: 'Cannot be looked into', icon: FileQuestion, personal: false },
} as const satisfies Record<Removal['kind'], KindWords>

interface ClassWords {
  readonly name: RemovalClass
  readonly label: string
}

/** What the classes are called, in the order in which they are shown. */
export const removalClassWords: readonly ClassWords[] = [
  ...(['secrets', ...keepableClasses] as const).map((name) => ({
    name,
    label: redactedValues[name].label,
  })),
  { name: 'rules', label: 'Your rules' },
]
