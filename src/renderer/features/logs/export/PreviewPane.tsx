import {
  ShieldCheck,
  ShieldOff,
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
import type { LogPreview, Removal } from '#contract/logs.ts'
import { Text, Row, Stack } from '../../../ui/Layout.tsx'
import { LoadFailure } from '../../../ui/Failure.tsx'
import { Note } from '../../../ui/Note.tsx'
import { Shown } from '../../../ui/Shown.tsx'
import { formatCount, formatSize, plural } from '#shared/text/format.ts'
import { truncate } from '../../../ui/text/visible.ts'
import { Progress } from '../../../ui/Progress.tsx'
import { shareOf } from '../labels.ts'
import type { Preview } from './use-preview.ts'
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
function RemovalList({ removals }: { readonly removals: readonly Removal[] }) {
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
            background="bg"
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
    <Stack as="li" pad={[4, 6]} size="s" background="surface" className="removal" data-kind={kind}>
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
        <Shown text={truncate(location, 160)} />
      </Text>
      {examples.length > 0 && (
        <Stack as="ul" marginTop={1} icon="xs" className="removal-examples" aria-label="Examples">
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
                  <Shown text={truncate(was, 80)} />
                </Text>
              )}
              <ArrowRight className="tone-dim" aria-hidden />
              <span className="visually-hidden">becomes</span>
              <Text tone="valid" mono anywhere>
                <Shown text={truncate(becomes, 80)} />
              </Text>
            </Row>
          ))}
        </Stack>
      )}
    </Stack>
  )
}

interface Props {
  readonly state: Preview
  readonly redact: boolean
  /** The form has errors. */
  readonly invalid: boolean
}

/** What the file would contain, and exactly what is redacted. */
export function PreviewPane({ state, redact, invalid }: Props) {
  const { preview, stale, error, retry } = state
  return (
    <Stack
      as="section"
      column
      gap={4}
      shrink
      frame
      background="bg"
      className="export-preview"
      aria-label="Preview"
      data-stale={stale || undefined}
    >
      {invalid ? (
        <Stack grow center tone="mid">
          Fix the errors to see a preview.
        </Stack>
      ) : error !== null ? (
        <LoadFailure onRetry={retry}>The preview is not available. {error.message}</LoadFailure>
      ) : preview === null ? (
        <Stack grow center tone="mid" role="status">
          Loading preview
        </Stack>
      ) : (
        <PreviewContent preview={preview} redact={redact} />
      )}
    </Stack>
  )
}

function PreviewContent({
  preview,
  redact,
}: {
  readonly preview: LogPreview
  readonly redact: boolean
}) {
  const { complete, examined, deliveries, rehearsals = 0, totalBytes, removals, notes } = preview
  const values = removals.reduce((sum, removal) => sum + removal.values, 0)
  const progress = `${formatCount(examined)} of ${formatCount(deliveries)} checked`
  return (
    <>
      <Stack as="header" gap={3} className="export-sum">
        <Row as="p" align="baseline" gap={3} size="l" role="status">
          <Text as="b" size="xl">
            {formatCount(deliveries)}
          </Text>{' '}
          {deliveries === 1 ? 'delivery' : 'deliveries'}
          {rehearsals > 0 && `, ${plural(rehearsals, 'rehearsal', 'rehearsals')}`}
          <Text push>
            {complete ? '' : 'about '}
            <Text as="b" size="xl">
              {formatSize(totalBytes)}
            </Text>
          </Text>
        </Row>
        {!complete && (
          <>
            <Progress label="Checked" share={shareOf(examined, deliveries)} words={progress} />
            <Text as="p" tone="dim" size="s">
              {progress}
            </Text>
          </>
        )}
      </Stack>
      {deliveries === 0 && rehearsals === 0 && (
        <Note tone="warning">No deliveries match. Select others, or another time range.</Note>
      )}
      {notes.map((note) => (
        <Note key={note} tone="info">
          <Shown text={truncate(note, 1000)} />
        </Note>
      ))}
      {!redact ? (
        <Row gap={4} pad={[4, 5]} round="m" background="state" icon="m" data-tone="invalid">
          <ShieldOff className="tone-state" aria-hidden />
          <p>
            <Text as="b" tone="state">
              Nothing is redacted.
            </Text>{' '}
            Every value is exported as it is.
          </p>
        </Row>
      ) : removals.length === 0 ? (
        deliveries + rehearsals > 0 && (
          <Row gap={4} pad={[4, 5]} round="m" background="state" icon="m" data-tone="valid">
            <ShieldCheck className="tone-state" aria-hidden />
            <p>
              {complete
                ? 'No values to redact were found.'
                : 'No values to redact were found so far.'}
            </p>
          </Row>
        )
      ) : (
        <>
          <Row as="h3" gap={3} align="center" size="m">
            <ShieldCheck className="tone-valid" aria-hidden />{' '}
            {plural(values, 'value is', 'values are')} redacted
            {complete ? '' : ' so far'}, in {plural(removals.length, 'place', 'places')}
          </Row>
          <RemovalList removals={removals} />
        </>
      )}
    </>
  )
}
