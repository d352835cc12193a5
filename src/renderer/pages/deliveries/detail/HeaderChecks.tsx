import type { ReactNode } from 'react'
import { Icons } from '#kit/icons.tsx'
import type { HeaderCheck } from '#contract/deliveries.ts'
import { CopyButton } from '#kit/Button.tsx'
import { Prose, Shown } from '#kit/Shown.tsx'
import { truncate } from '#kit/text/visible.ts'
import '#parts/exchange/HeaderTable.css'
import './HeaderChecks.css'

const maxValueLength = 4000

/** The header breakdown: the received headers in order, then the missing ones. */
export function HeaderChecks({ label, checks }: { label: string; checks: readonly HeaderCheck[] }) {
  if (checks.length === 0) return <p className="text-dim">No headers received.</p>
  return (
    <table
      className="headers framed header-checks w-full table-fixed overflow-clip text-s [&_tbody_th]:text-mid [&_th:last-child]:w-(--measure-key) [&_thead_th]:border-t-0 [&_thead_th]:bg-bg [&_thead_th]:text-xs [&_thead_th]:text-dim [&_tr:hover_.icon-button]:opacity-100"
      aria-label={label}
    >
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

function CheckRow({ check }: { check: HeaderCheck }) {
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
        {meaning !== null && (
          <span className="mt-px block font-ui text-xs font-normal text-dim">
            <Prose text={meaning} />
          </span>
        )}
      </th>
      <td>
        <dl className="grid gap-1">
          <Line word="received">
            {value === null ? (
              <em className="text-dim">not received</em>
            ) : (
              <>
                {value === '' ? (
                  <em className="text-dim">empty</em>
                ) : (
                  <Shown text={value} max={maxValueLength} />
                )}
                <CopyButton text={value} label={`Copy value of ${truncate(name, 60)}`} />
              </>
            )}
          </Line>
          {expected !== null && (
            <Line word="expected">
              <Shown text={expected} max={600} />
            </Line>
          )}
        </dl>
        {note !== null && <p className="mt-1 block font-ui text-xs font-normal text-mid">{note}</p>}
      </td>
      <td>
        <OutcomeMark outcome={outcome} />
      </td>
    </tr>
  )
}

function Line({ word, children }: { word: string; children: ReactNode }) {
  return (
    <div className="baseline flex flex-wrap">
      <dt className="flex-[0_0_var(--measure-number)] text-xs text-dim">{word}</dt>
      <dd className="mono flex-[1_1_var(--measure-key)] wrap-anywhere select-text">{children}</dd>
    </div>
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

function OutcomeMark({ outcome }: { outcome: Outcome }) {
  if (outcome === 'free') return <span className="text-dim">no expected value</span>
  const { word, tone, icon: Icon, strokeWidth } = outcomes[outcome]
  return (
    <span
      className="inline-flex items-center gap-2 text-xs font-semibold text-tone icon-xs"
      data-tone={tone}
    >
      <Icon aria-hidden strokeWidth={strokeWidth} /> {word}
    </span>
  )
}
