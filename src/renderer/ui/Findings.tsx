import { useId, useState } from 'react'
import type { Finding, Severity } from '#contract/models.ts'
import { Text, Row } from './Layout.tsx'
import { Button } from './Button.tsx'
import { SeverityIcon, severityTone } from './Mark.tsx'
import { Masked } from './Masked.tsx'
import { cut } from './text/visible.ts'
import './Findings.css'

const longest = 400

/** With one or two more than are shown at once, folding them would cost as much room as it saves. */
const foldedAtLeast = 3

const order: readonly Severity[] = ['error', 'warning', 'info']

interface Props {
  readonly findings: readonly Finding[]
  /** So many before the rest is folded away. */
  readonly shownAtOnce?: number
}

/** Where a delivery, or a token's answer, departs from the service's document: errors first, each group in its own order. */
export function Findings({ findings, shownAtOnce = 8 }: Props) {
  const [open, setOpen] = useState(false)
  const listId = useId()
  if (findings.length === 0) return null
  const sorted = order.flatMap((severity) =>
    findings.filter((finding) => finding.severity === severity),
  )
  const folded = sorted.length >= shownAtOnce + foldedAtLeast
  const shown = folded && !open ? sorted.slice(0, shownAtOnce) : sorted
  return (
    <div className="findings framed">
      <ul className="lined" id={listId} aria-label="Findings">
        {shown.map((finding, index) => (
          // Two may be alike, as a key that comes three times: the place in the list tells them apart.
          // oxlint-disable-next-line react/no-array-index-key
          <FindingItem key={index} finding={finding} />
        ))}
      </ul>
      {folded && (
        <Button
          kind="quiet"
          aria-expanded={open}
          aria-controls={listId}
          onClick={() => setOpen((before) => !before)}
        >
          {open ? 'Show fewer findings' : `Show ${sorted.length - shownAtOnce} more findings`}
        </Button>
      )}
    </div>
  )
}

function FindingItem({ finding }: { readonly finding: Finding }) {
  const { code, severity, place, message, expected, actual } = finding
  const tone = severityTone(severity)
  return (
    <li data-tone={tone}>
      <span className="disc" data-tone={tone}>
        <SeverityIcon severity={severity} />
      </span>
      <div>
        <Row as="p" wrap align="baseline" gapX={4}>
          <Text tone="state" size="xs" weight="bold">
            {wordOf(severity)}
          </Text>
          <code className="mono selectable size-s">
            <Masked text={cut(place, 130)} />
          </code>
          <code className="mono selectable dim push size-xs">
            <Masked text={cut(code, 60)} />
          </code>
        </Row>
        <p className="selectable">
          <Masked text={cut(message, longest)} />
        </p>
        {(expected !== undefined || actual !== undefined) && (
          <Row as="dl" wrap gapX={6} size="s">
            {expected !== undefined && <Value name="expected" value={expected} />}
            {actual !== undefined && <Value name="came" value={actual} />}
          </Row>
        )}
      </div>
    </li>
  )
}

function wordOf(severity: Severity): string {
  switch (severity) {
    case 'error':
      return 'Error'
    case 'warning':
      return 'Warning'
    case 'info':
      return 'Note'
  }
}

function Value({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <Row gap={3} shrink>
      <Text as="dt" fixed tone="dim">
        {name}
      </Text>
      <dd className="mono shrink selectable">
        <Masked text={cut(value, longest)} />
      </dd>
    </Row>
  )
}
