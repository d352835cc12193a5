import type { DiagnosisCause } from '#contract/deliveries.ts'
import { ArrowRight, Check } from '../../../../ui/icons.tsx'
import { Row, Stack, Text } from '../../../../ui/Layout.tsx'
import { Shown } from '../../../../ui/Shown.tsx'
import { fixLocationLabels } from './conclusion.ts'

interface CauseCardProps {
  readonly cause: DiagnosisCause
  /** False if another card already shows the same detail. */
  readonly detailed: boolean
}

export function CauseCard({ cause, detailed }: CauseCardProps) {
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
