import { Stack, Text } from '../../ui/Layout.tsx'
import { Field } from '../../ui/Field.tsx'
import { cut, visible } from '../../ui/text/visible.ts'
import { type Place, placeSentence } from './places.ts'
import './Sending.css'
import { useEffect, useState } from 'react'
import type { Target } from '#contract/sending.ts'
import { useClient } from '../../platform/use-client.ts'
import { urlFault } from './send-draft.ts'

/** Milliseconds after the last key. */
const pause = 250

/** What is known of the target of an address while it is written; null: nothing yet. */
function usePlace(url: string): Target | null {
  const client = useClient()
  const [held, setHeld] = useState<{ url: string; target: Target } | null>(null)
  const wanted = url.trim() === '' || urlFault(url) !== null ? null : url.trim()
  useEffect(() => {
    if (wanted === null) return
    let current = true
    const timer = setTimeout(() => {
      client.call('targets.look', { url: wanted }).then(
        (target) => current && setHeld({ url: wanted, target }),
        // What is wrong with it is said when it is sent to.
        () => current && setHeld(null),
      )
    }, pause)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [client, wanted])
  return held !== null && held.url === wanted ? held.target : null
}

interface Props {
  readonly url: string
  readonly error: string | null
  readonly places: readonly Place[]
  /** Said of an empty field: where it goes by itself. */
  readonly byItself: string
  readonly onChange: (url: string) => void
}

/** Where to send: written, or one of those that are known. Says what kind of place it is. */
export function AddressField({ url, error, places, byItself, onChange }: Props) {
  const target = usePlace(url)
  return (
    <Stack gap={4}>
      <Field
        label="Address"
        data-mono
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- in a dialog that was opened to enter it
        autoFocus={url === ''}
        inputMode="url"
        placeholder="http://localhost:3000/webhooks"
        value={url}
        error={error}
        hint={
          url.trim() === ''
            ? byItself
            : target === null
              ? 'Any http or https address.'
              : placeSentence(target)
        }
        onChange={(event) => onChange(event.target.value)}
      />
      {places.length > 0 && (
        <ul className="lined clip send-places" aria-label="Known places">
          {places.map((place) => (
            <li key={place.url}>
              <button
                className="row list-row align-baseline size-s"
                type="button"
                aria-pressed={place.url === url.trim()}
                onClick={() => onChange(place.url)}
              >
                <Text grow cut mono>
                  {visible(cut(place.url, 200))}
                </Text>
                <Text fixed tone="dim">
                  {visible(cut(place.word, 60))}
                </Text>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Stack>
  )
}
