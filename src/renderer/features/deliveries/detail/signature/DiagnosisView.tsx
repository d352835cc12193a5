import { plural } from '#shared/text/format.ts'
import type { Diagnosis, DiagnosisCause } from '#contract/deliveries.ts'
import type { Delivery, Verdict } from '#contract/models.ts'
import { Text, Grid, Row, Stack } from '../../../../ui/Layout.tsx'
import { WhenLoaded } from '../../../../ui/Failure.tsx'
import { VerdictIcon } from '../../../../ui/Mark.tsx'
import { Shown } from '../../../../ui/Shown.tsx'
import { useCan } from '../../../../state/app.ts'
import { TrySecret } from './TrySecret.tsx'
import { useChecked, fixLocationLabels } from './conclusion.ts'
import { ArrowRight, Check, CircleDashed, X } from '../../../../ui/icons.tsx'
import { LearnMore } from '../../../help/index.ts'

/** From this size a diagnosis can take a second or more, and the message says so. */
const largeBytes = 1024 * 1024

const headings = {
  valid: 'The check on this side is correct',
  invalid: 'Why it failed',
  missing: 'Why it is missing',
  unsigned: 'Why nothing was checked',
  unchecked: 'Why it was not checked',
} as const satisfies Record<Verdict, string>

export function DiagnosisView({ delivery }: { readonly delivery: Delivery }) {
  const query = useChecked('deliveries.diagnose', delivery)
  const loading = (
    <Row
      as="p"
      align="center"
      gap={4}
      pad={[4, 5]}
      round="m"
      background="sunken"
      tone="mid"
      role="status"
    >
      <span className="why-pulse" aria-hidden />
      Trying each cause on {plural(delivery.storedBytes, 'byte', 'bytes')} of body
      {delivery.storedBytes > largeBytes ? '. This takes a few seconds' : ''}…
    </Row>
  )
  return (
    <WhenLoaded query={query} loading={loading}>
      {(diagnosis) => <DiagnosisResult diagnosis={diagnosis} delivery={delivery} />}
    </WhenLoaded>
  )
}

function DiagnosisResult({ diagnosis, delivery }: { diagnosis: Diagnosis; delivery: Delivery }) {
  const { causes, conclusion, verdict, tried } = diagnosis
  const editing = useCan('editing')
  const matching = causes.filter(({ outcome }) => outcome === 'matches')
  const others = causes.filter(({ outcome }) => outcome !== 'matches')
  return (
    <Stack as="section" gap={5} className="why" aria-labelledby="why">
      <Grid
        columns="auto 1"
        gap={5}
        pad={[5, 6]}
        round="l"
        background="state"
        className="why-conclusion"
        data-tone={verdict}
        data-testid="conclusion"
      >
        <span className="tone-state margin-top-1">
          <VerdictIcon verdict={verdict} />
        </span>
        <div>
          <Text as="h3" tone="state" weight="semibold" id="why">
            {headings[verdict]}
          </Text>
          <p className="selectable">
            <Shown text={conclusion} />
          </p>
          <LearnMore page="signatures" section="find-out-why-a-signature-is-invalid" />
        </div>
      </Grid>
      {matching.map((cause, index) => (
        // Causes that match only together share one detail text.
        <CauseCard
          key={cause.code}
          cause={cause}
          detailed={matching.findIndex(({ detail }) => detail === cause.detail) === index}
        />
      ))}
      {editing && verdict !== 'valid' && tried > 0 && <TrySecret id={delivery.id} />}
      <TriedCauses causes={others} diagnosis={diagnosis} />
    </Stack>
  )
}

interface CauseCardProps {
  readonly cause: DiagnosisCause
  /** False if another card already shows the same detail. */
  readonly detailed: boolean
}

function CauseCard({ cause, detailed }: CauseCardProps) {
  const { code, title, detail, fix, where } = cause
  return (
    <Stack
      as="article"
      gap={4}
      pad={[5, 6]}
      className="plain-card cause-card"
      aria-label={title}
      data-testid="cause"
    >
      <Row as="header" wrap align="center" gap={2} gapX={4}>
        <span className="tag" data-tone="info">
          <Check aria-hidden strokeWidth={3} /> found
        </span>
        <Text as="h4" weight="semibold">
          {title}
        </Text>
        <Text as="code" push mono size="xs" tone="dim">
          {code}
        </Text>
      </Row>
      {detailed && (
        <p className="selectable dim">
          <Shown text={detail} />
        </p>
      )}
      <Row wrap align="center" justify="between" gap={4} gapX={6} className="cause-fix">
        <p>
          <b>Fix {fixLocationLabels[where]}.</b> <Shown text={fix} />
        </p>
        {where === 'here' && (
          <a className="button" data-kind="plain" href="#/endpoints">
            Open endpoints <ArrowRight aria-hidden />
          </a>
        )}
      </Row>
    </Stack>
  )
}

interface TriedCausesProps {
  readonly causes: readonly DiagnosisCause[]
  readonly diagnosis: Diagnosis
}

function TriedCauses({ causes, diagnosis }: TriedCausesProps) {
  const { tried, exhaustive } = diagnosis
  return (
    <>
      <p className="dim size-s">
        {describeCount(tried)}
        {!exhaustive && ' The body is too large to try everything.'}
      </p>
      {causes.length > 0 && (
        <details className="tried-causes">
          <summary className="pad-y-1 weight-semibold">
            Also tried: {plural(causes.length, 'other cause', 'other causes')}
          </summary>
          <ul className="margin-top-4 framed lined" aria-label="Also tried">
            {causes.map((cause) => (
              <Grid as="li" columns="key 1" gap={4} pad={[3, 5]} key={cause.code}>
                <Outcome outcome={cause.outcome} />
                <div>
                  <Text as="p" anywhere>
                    {cause.title}
                  </Text>
                  <Text as="p" anywhere size="s" tone="dim">
                    <Shown text={cause.detail} />
                  </Text>
                </div>
              </Grid>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

function describeCount(tried: number): string {
  if (tried === 0) return 'No signature was computed.'
  if (tried === 1) return '1 signature was computed.'
  return `${plural(tried, 'signature', 'signatures')} were computed.`
}

const outcomes = {
  matches: { word: 'matches', tone: 'info', icon: Check, strokeWidth: 3 },
  ruled_out: { word: 'ruled out', tone: 'unsigned', icon: X, strokeWidth: 2.6 },
  untried: { word: 'not tried', tone: 'warning', icon: CircleDashed, strokeWidth: 2.4 },
} as const satisfies Record<DiagnosisCause['outcome'], object>

function Outcome({ outcome }: Pick<DiagnosisCause, 'outcome'>) {
  const { word, tone, icon: Icon, strokeWidth } = outcomes[outcome]
  return (
    <Row
      as="span"
      inline
      align="center"
      gap={3}
      size="xs"
      weight="semibold"
      tone="state"
      className="tried-outcome"
      data-tone={tone}
    >
      <Icon aria-hidden strokeWidth={strokeWidth} /> {word}
    </Row>
  )
}
