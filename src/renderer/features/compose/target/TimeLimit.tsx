import { useId } from 'react'
import type { Session } from '../store.ts'
import { changeSession } from '../store.ts'

const choices = [
  [1000, '1 s'],
  [5000, '5 s'],
  [10_000, '10 s'],
  [30_000, '30 s'],
  [120_000, '2 min'],
  [600_000, '10 min'],
] as const

/** How long an answer is waited for. */
export function TimeLimit({ session }: { readonly session: Session }) {
  const id = useId()
  return (
    <span className="compose-as">
      <label htmlFor={id}>Time limit</label>
      <span className="field">
        <select
          id={id}
          title="From the name being looked up to the last byte"
          value={session.timeout}
          onChange={(event) => changeSession(session.key, { timeout: Number(event.target.value) })}
        >
          {choices.map(([ms, words]) => (
            <option key={ms} value={ms}>
              {words}
            </option>
          ))}
        </select>
      </span>
    </span>
  )
}
