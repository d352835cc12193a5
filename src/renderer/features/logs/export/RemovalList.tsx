import {
  ArrowRight,
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
  ListFilter,
  type LucideIcon,
  Mail,
  Network,
  Phone,
  Tags,
  Ticket,
  UserRound,
} from 'lucide-react'
import type { Removal } from '#contract/logs.ts'
import { Shown } from '../../../components/Shown.tsx'
import { count, counted } from '../../../components/text/numbers.ts'
import { cut } from '../../../components/text/visible.ts'
import { keepableClasses, redactedValues, type RemovalClass } from '#contract/redaction.ts'

interface KindWords {
  readonly word: string
  readonly icon: LucideIcon
  /** It is about a guest rather than about access. */
  readonly personal: boolean
}

/** What the reasons to take something out are called. */
const removalKindWords = {
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
const removalClassWords: readonly ClassWords[] = [
  ...(['secrets', ...keepableClasses] as const).map((name) => ({
    name,
    label: redactedValues[name].label,
  })),
  { name: 'rules', label: 'Your rules' },
]

/** Each place from which something is taken out, by class: why, how often, and what becomes of it. */
export function RemovalList({ removals }: { readonly removals: readonly Removal[] }) {
  const classes = removalClassWords.flatMap(({ name, label }) => {
    const rows = removals.filter((removal) => removal.class === name)
    return rows.length === 0 ? [] : [{ name, label, rows }]
  })
  return (
    // A list with nothing to press in it is gone through by the keys all the same.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <ul className="removals" aria-label="What is taken out" data-scrolls tabIndex={0}>
      {classes.map(({ name, label, rows }) => (
        <li key={name} className="removal-class" data-class={name}>
          <h4>
            {label}
            <span className="dim">
              {counted(
                rows.reduce((sum, { values }) => sum + values, 0),
                'value',
                'values',
              )}
            </span>
          </h4>
          <ul aria-label={label}>
            {rows.map((removal) => (
              <RemovalRow key={`${removal.kind} ${removal.place}`} removal={removal} />
            ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}

function RemovalRow({ removal }: { readonly removal: Removal }) {
  const { kind, place, values, deliveries, examples } = removal
  const { word, icon: Icon, personal } = removalKindWords[kind]
  return (
    <li className="removal" data-kind={kind}>
      <span className="removal-kind" data-personal={personal || undefined}>
        <Icon aria-hidden /> {word}
      </span>
      <code className="mono removal-place">
        <Shown text={cut(place, 160)} />
      </code>
      <span className="removal-count">
        <b>{count(values)}</b>
        <span className="dim">
          {values === 1 ? ' value' : ' values'}
          {deliveries > 0 && ` in ${counted(deliveries, 'delivery', 'deliveries')}`}
        </span>
      </span>
      {examples.length > 0 && (
        <ul className="removal-examples" aria-label="For example">
          {examples.map(({ deliveryId, was, becomes }, index) => (
            // Two examples may be the same value at two places.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index} title={deliveryId === null ? undefined : `Delivery ${deliveryId}`}>
              {was === null ? (
                <em className="dim">not shown</em>
              ) : (
                <span className="removal-was mono">
                  <Shown text={cut(was, 80)} />
                </span>
              )}
              <ArrowRight aria-hidden />
              <span className="visually-hidden">becomes</span>
              <span className="removal-becomes mono">
                <Shown text={cut(becomes, 80)} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}
