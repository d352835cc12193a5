import { Icons } from '../../../ui/icons.tsx'
import type { HeaderCheck } from '#contract/deliveries.ts'
import { Text, Row, Stack } from '../../../ui/Layout.tsx'
import { CopyButton } from '../../../ui/Button.tsx'
import { Shown } from '../../../ui/Shown.tsx'
import { truncate } from '../../../ui/text/visible.ts'
import '../../../ui/HeaderTable.css'
import './HeaderChecks.css'

const maxValueLength = 4000

interface Props {
  readonly label: string
  readonly checks: readonly HeaderCheck[]
}

/** The header breakdown: the received headers in order, then the missing ones. */
export function HeaderChecks({ label, checks }: Props) {
  if (checks.length === 0) return <p className="dim">No headers received.</p>
  return (
    <table className="headers framed header-checks" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">Name and meaning</th>
          <th scope="col">Received and expected value</th>
          <th scope="col">Matches</th>
        </tr>
      </thead>
      <tbody>
        {checks.map((check, index) => (
          // Names can repeat, so the index is the key.
          // oxlint-disable-next-line react/no-array-index-key
          <CheckRow key={index} check={check} />
        ))}
      </tbody>
    </table>
  )
}

function CheckRow({ check }: { readonly check: HeaderCheck }) {
  const { name, value, source, meaning, expected, note } = check
  const outcome = outcomeOf(check)
  return (
    <tr
      data-own={source === 'document' || source === 'endpoint' || undefined}
      data-outcome={outcome}
    >
      <th scope="row">
        <span className="mono">
          <Shown text={name} max={200} />
        </span>
        {meaning !== null && <span className="header-meaning">{meaning.replaceAll('`', '')}</span>}
      </th>
      <td>
        <Stack as="dl" gap={1}>
          <Row wrap align="baseline" className="header-pair">
            <Text as="dt" tone="dim" size="xs">
              received
            </Text>
            <Text as="dd" anywhere mono>
              {value === null ? (
                <em className="dim">not received</em>
              ) : (
                <>
                  <span className="header-value selectable">
                    {value === '' ? (
                      <em className="dim">empty</em>
                    ) : (
                      <Shown text={value} max={maxValueLength} />
                    )}
                  </span>
                  <CopyButton text={value} label={`Copy value of ${truncate(name, 60)}`} />
                </>
              )}
            </Text>
          </Row>
          {expected !== null && (
            <Row wrap align="baseline" className="header-pair">
              <Text as="dt" tone="dim" size="xs">
                expected
              </Text>
              <Text as="dd" anywhere mono selectable>
                <Shown text={expected} max={600} />
              </Text>
            </Row>
          )}
        </Stack>
        {note !== null && <p className="header-note">{note}</p>}
      </td>
      <td>
        <OutcomeMark outcome={outcome} />
      </td>
    </tr>
  )
}

type Outcome = keyof typeof outcomes | 'free'

function outcomeOf({ matches, index, expected, note }: HeaderCheck): Outcome {
  if (matches === true) return 'agrees'
  if (matches === false) return index === null ? 'missing' : 'differs'
  return expected === null && note === null ? 'free' : 'unchecked'
}

const outcomes = {
  agrees: { word: 'yes', tone: 'valid', icon: Icons.Check, strokeWidth: 3 },
  differs: { word: 'no', tone: 'invalid', icon: Icons.X, strokeWidth: 3 },
  missing: { word: 'missing', tone: 'warning', icon: Icons.CircleDashed, strokeWidth: 2.6 },
  unchecked: { word: 'not checked', tone: 'unsigned', icon: Icons.Minus, strokeWidth: 3 },
} as const

function OutcomeMark({ outcome }: { readonly outcome: Outcome }) {
  if (outcome === 'free') return <span className="dim">no expected value</span>
  const { word, tone, icon: Icon, strokeWidth } = outcomes[outcome]
  return (
    <span className="agreement" data-tone={tone}>
      <Icon aria-hidden strokeWidth={strokeWidth} /> {word}
    </span>
  )
}
