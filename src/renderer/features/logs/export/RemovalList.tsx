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
  type Icon,
  Mail,
  Network,
  Phone,
  Tags,
  Ticket,
  UserRound,
} from '../../../ui/icons.tsx'
import type { Removal } from '#contract/logs.ts'
import { Text, Row, Stack } from '../../../ui/Layout.tsx'
import { Shown } from '../../../ui/Shown.tsx'
import { formatCount, plural } from '#shared/text/format.ts'
import { cut } from '../../../ui/text/visible.ts'
import { keepableClasses, redactedValues, type RemovalClass } from '#contract/redaction.ts'

interface KindLabel {
  readonly word: string
  readonly icon: Icon
  /** Whether the value is personal data of a guest. */
  readonly personal: boolean
}

const removalKindLabels = {
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
  unreadable: { word: 'Unreadable content', icon: FileQuestion, personal: false },
} as const satisfies Record<Removal['kind'], KindLabel>

interface ClassLabel {
  readonly name: RemovalClass
  readonly label: string
}

/** The labels of the classes, in the order shown. */
const removalClassLabels: readonly ClassLabel[] = [
  ...(['secrets', ...keepableClasses] as const).map((name) => ({
    name,
    label: redactedValues[name].label,
  })),
  { name: 'rules', label: 'Your rules' },
]

/** Each place with redacted values, by class: the kind, the count and examples of the replacement. */
export function RemovalList({ removals }: { readonly removals: readonly Removal[] }) {
  const classes = removalClassLabels.flatMap(({ name, label }) => {
    const rows = removals.filter((removal) => removal.class === name)
    return rows.length === 0 ? [] : [{ name, label, rows }]
  })
  return (
    // A scrollable list must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <ul className="removals" aria-label="Redacted values" data-scrolls tabIndex={0}>
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
              {plural(
                rows.reduce((sum, { values }) => sum + values, 0),
                'value',
                'values',
              )}
            </span>
          </Row>
          <Stack as="ul" lined aria-label={label}>
            {rows.map((removal) => (
              <RemovalRow key={`${removal.kind} ${removal.location}`} removal={removal} />
            ))}
          </Stack>
        </li>
      ))}
    </ul>
  )
}

function RemovalRow({ removal }: { readonly removal: Removal }) {
  const { kind, location, values, deliveries, examples } = removal
  const { word, icon: Icon, personal } = removalKindLabels[kind]
  return (
    <Stack as="li" pad={[4, 6]} size="s" ground="surface" className="removal" data-kind={kind}>
      <Row align="center" gap={3}>
        <Icon className={personal ? 'tone-accent' : 'tone-dim'} aria-hidden />
        <b>{word}</b>
        <Text push>
          <b>{formatCount(values)}</b>
          <span className="dim">
            {values === 1 ? ' value' : ' values'}
            {deliveries > 0 && ` in ${plural(deliveries, 'delivery', 'deliveries')}`}
          </span>
        </Text>
      </Row>
      <Text as="code" mono tone="mid" anywhere>
        <Shown text={cut(location, 160)} />
      </Text>
      {examples.length > 0 && (
        <Stack as="ul" above={1} icon="xs" className="removal-examples" aria-label="Examples">
          {examples.map(({ deliveryId, was, becomes }, index) => (
            // The same value can be an example twice, so the index is the key.
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
