import { describeCause } from '#catalogue/signature-causes.ts'
import type { DiagnosisCause } from '#contract/deliveries.ts'
import type { Cause } from '#contract/models.ts'
import { Row, Stack, Text } from '../../../../ui/Layout.tsx'
import { Shown } from '../../../../ui/Shown.tsx'
import { fixLocationLabels } from './conclusion.ts'
import './Why.css'

interface AdviceProps {
  readonly cause: Cause
  /** A button fixes it, so only what shows it is said. */
  readonly short?: boolean
}

/** What to do about a cause, and for a handler what shows it. */
export function CauseAdvice({ cause, short = false }: AdviceProps) {
  const { sentence, fix } = describeCause(cause)
  const { key, header } = cause.values ?? {}
  if (short && cause.where !== 'handler') {
    if (cause.code === 'header.other_name') return <Shown text={`It is in ${header ?? '?'}.`} />
    return <Shown text={key === undefined ? sentence : `It was signed with ${key}.`} />
  }
  const { writes } = cause.values ?? {}
  return cause.code === 'handler.serialized' ? (
    <Shown text={writes === undefined ? sentence : `${writes} writes other bytes. ${fix}`} />
  ) : (
    <>
      Fix {fixLocationLabels[cause.where]}: <Shown text={fix} />
    </>
  )
}

interface CauseCardProps {
  readonly cause: DiagnosisCause
  /** False if another card already shows the same detail. */
  readonly detailed: boolean
  /** Absent: everything. `proof`: title and fix are shown elsewhere, `fix`: the title. */
  readonly parts?: 'proof' | 'fix'
}

/** A cause with the evidence for it. */
export function CauseCard({ cause, detailed, parts }: CauseCardProps) {
  const { code, title, detail } = cause
  return (
    <Stack
      as="article"
      gap={3}
      pad={[5, 6]}
      className="plain-card cause-card"
      aria-label={title}
      data-testid="cause"
    >
      <Row as="header" wrap align="center" gap={2} gapX={4}>
        <Text as="h3" weight="semibold">
          {parts === undefined ? title : 'Evidence'}
        </Text>
        <Text as="code" push mono size="xs" tone="dim">
          {code}
        </Text>
      </Row>
      {detailed && (
        <p className="selectable">
          <Shown text={detail} />
        </p>
      )}
      {parts !== 'proof' && (
        <p className="dim">
          <CauseAdvice cause={cause} />
        </p>
      )}
    </Stack>
  )
}
