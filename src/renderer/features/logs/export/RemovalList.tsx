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
import { Text, Row, Stack } from '../../../ui/Layout.tsx'
import { Shown } from '../../../ui/Shown.tsx'
import { count, counted } from '../../../ui/text/numbers.ts'
import { cut } from '../../../ui/text/visible.ts'
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
    <ul className="removals" aria-label="What is redacted" data-scrolls tabIndex={0}>
      {classes.map(({ name, label, rows }) => (
        <li key={name} className="removal-class" data-class={name}>
          <Row
            as="h4"
            gap={4}
            justify="between"
            pad={[3, 6]}
            size="s"
            line="bottom-soft"
            ground="bg"
          >
            {label}
            <span className="dim">
              {counted(
                rows.reduce((sum, { values }) => sum + values, 0),
                'value',
                'values',
              )}
            </span>
          </Row>
          <Stack as="ul" lined aria-label={label}>
            {rows.map((removal) => (
              <RemovalRow key={`${removal.kind} ${removal.place}`} removal={removal} />
            ))}
          </Stack>
        </li>
      ))}
    </ul>
  )
}

function RemovalRow({ removal }: { readonly removal: Removal }) {
  const { kind, place, values, deliveries, examples } = removal
  const { word, icon: Icon, personal } = removalKindWords[kind]
  return (
    <Stack as="li" pad={[4, 6]} size="s" ground="surface" className="removal" data-kind={kind}>
      <Row align="center" gap={3}>
        <Icon className={personal ? 'tone-accent' : 'tone-dim'} aria-hidden />
        <b>{word}</b>
        <Text push>
          <b>{count(values)}</b>
          <span className="dim">
            {values === 1 ? ' value' : ' values'}
            {deliveries > 0 && ` in ${counted(deliveries, 'delivery', 'deliveries')}`}
          </span>
        </Text>
      </Row>
      <Text as="code" mono tone="mid" anywhere>
        <Shown text={cut(place, 160)} />
      </Text>
      {examples.length > 0 && (
        <Stack as="ul" above={1} icon="xs" className="removal-examples" aria-label="For example">
          {examples.map(({ deliveryId, was, becomes }, index) => (
            // Two examples may be the same value at two places.
            // oxlint-disable-next-line react/no-array-index-key
            <Row
              as="li"
              wrap
              gapX={3}
              align="center"
              shrink
              key={index}
              title={deliveryId === null ? undefined : `Delivery ${deliveryId}`}
            >
              {was === null ? (
                <em className="dim">not shown</em>
              ) : (
                <Text mono anywhere tone="invalid" className="removal-was">
                  <Shown text={cut(was, 80)} />
                </Text>
              )}
              <ArrowRight className="tone-dim" aria-hidden />
              <span className="visually-hidden">becomes</span>
              <Text tone="valid" mono anywhere>
                <Shown text={cut(becomes, 80)} />
              </Text>
            </Row>
          ))}
        </Stack>
      )}
    </Stack>
  )
}
