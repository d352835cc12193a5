import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import type { Attempt } from '#contract/sending.ts'
import { Segments } from '../../components/Segments.tsx'
import { Shown } from '../../components/Shown.tsx'
import { span } from '../../components/text/time.ts'
import { cut } from '../../components/text/visible.ts'
import { ClockTime } from '../../components/Time.tsx'
import type { Client } from '../../platform/client.ts'
import { useClient } from '../../platform/use-client.ts'
import type { Scope } from '../deliveries/scope/scope.ts'
import { useLog } from '../deliveries/scope/scope.ts'
import { BodyDiffView } from '../diff/BodyDiffView.tsx'
import { HeaderDiffTable } from '../diff/HeaderDiffTable.tsx'
import type { DiffSide } from '../diff/side.ts'
import { digestOf } from '../diff/side.ts'
import '../diff/Diff.css'
import { OutcomeMark } from './AttemptMarks.tsx'
import { differences } from './compare.ts'
import './Attempts.css'

type Side = 'answer' | 'request'

interface Props {
  /** The older one. */
  readonly before: Attempt
  readonly after: Attempt
  /** The brand whose header names are explained. */
  readonly brand: string | null
  /** At the end of the bar. */
  readonly actions?: ReactNode
}

/** How two attempts differ: what came of them, their headers, their bodies. Keyed by the two. */
export function AttemptCompare({ before, after, brand, actions }: Props) {
  const [side, setSide] = useState<Side>('answer')
  const rows = differences(before, after)
  return (
    <section className="attempt" aria-label={`Attempt ${before.id} against ${after.id}`}>
      <div className="attempt-sides plain-card">
        <Of word="Before" attempt={before} />
        <Of word="After" attempt={after} />
      </div>
      {rows.length === 0 ? (
        <p className="diff-equal">Sent in the same way to the same place, with the same outcome.</p>
      ) : (
        <table className="diff-headers" aria-label="What differs">
          <thead>
            <tr>
              <th scope="col">What differs</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.what}>
                <th scope="row">{row.what}</th>
                <td className="selectable">
                  <Shown text={cut(row.before, 1000)} />
                </td>
                <td className="selectable">
                  <Shown text={cut(row.after, 1000)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div className="attempt-bar">
        <Segments
          label="Compare of the attempts"
          value={side}
          options={[
            { value: 'answer', label: 'Answers' },
            { value: 'request', label: 'Requests as sent' },
          ]}
          onChange={setSide}
        />
        {actions}
      </div>
      <Messages key={side} before={before} after={after} which={side} brand={brand} />
    </section>
  )
}

function Messages({ before, after, which, brand }: Props & { readonly which: Side }) {
  const client = useClient()
  const log = useLog()
  const sides = useMemo(
    () => [sideOf(client, log, before, which), sideOf(client, log, after, which)] as const,
    [after, before, client, log, which],
  )
  const [old, fresh] = sides
  if (old === null || fresh === null) {
    return (
      <p className="dim">
        {old === fresh
          ? 'Neither was answered.'
          : `Only the one ${old === null ? 'after' : 'before'} was answered: there is nothing to hold it against.`}
      </p>
    )
  }
  return (
    <>
      <BodyDiffView before={old} after={fresh} />
      <HeaderDiffTable
        before={old.headers}
        after={fresh.headers}
        brand={which === 'request' ? brand : null}
      />
    </>
  )
}

function Of({ word, attempt }: { readonly word: string; readonly attempt: Attempt }) {
  return (
    <p>
      <span className="diff-side">{word}</span> <OutcomeMark row={attempt} />{' '}
      <span className="dim">
        <ClockTime at={attempt.at} />, took {span(attempt.took)}
      </span>
    </p>
  )
}

/** One side of an attempt as something to compare; null: it was not answered. */
function sideOf(client: Client, log: Scope, attempt: Attempt, which: Side): DiffSide | null {
  const { id, request, answer, requestBytes, answerBytes } = attempt
  const read: DiffSide['read'] = (slice) =>
    client.call('attempts.body', { id, log, which, ...slice })
  if (which === 'request') {
    const { headers, sha256 } = request
    return {
      headers,
      bytes: requestBytes,
      bytesKept: requestBytes,
      sha256: digestOf(sha256),
      altered: null,
      read,
    }
  }
  if (answer === null) return null
  const { headers, bytesKept } = answer
  return { headers, bytes: answerBytes, bytesKept, sha256: null, altered: null, read }
}
