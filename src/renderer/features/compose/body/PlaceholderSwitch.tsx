import { Braces } from 'lucide-react'
import { useMemo } from 'react'
import { useClient } from '../../../platform/use-client.ts'
import { edit } from '../edit.ts'
import { hasPlaceholder } from '../editor/json-faults.ts'
import type { Session } from '../store.ts'

interface Props {
  readonly session: Session
  /** Of the body. */
  readonly text: string
}

/** Whether placeholders are filled in: there where the draft has one, or is a template. */
export function PlaceholderSwitch({ session, text }: Props) {
  const client = useClient()
  const { content, name, counter } = session
  const { url, headers, placeholders } = content
  const found = useMemo(
    () => [url, text, ...headers.map(({ value }) => value)].some(hasPlaceholder),
    [url, headers, text],
  )
  if (!found && name === null && !placeholders) return null
  return (
    <label
      className="placeholder-switch"
      title="{{uuid}}, {{uuid:NAME}}, {{now}}, {{now:seconds}}, {{now:milliseconds}} and {{counter}}, in address, headers and body, anew at each send"
    >
      <input
        type="checkbox"
        checked={placeholders}
        onChange={(event) => edit(client, { placeholders: event.target.checked })}
      />
      <Braces aria-hidden />
      Fill in placeholders
      {placeholders && <span className="dim">counter at {counter}</span>}
    </label>
  )
}
