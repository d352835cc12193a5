import type { KeyboardEvent } from 'react'
import { useMemo } from 'react'
import { cut, visible } from '../../../components/text/visible.ts'
import { useCombobox } from '../../../components/use-combobox.ts'
import { useQuery } from '../../../platform/use-client.ts'
import { endpointUrl, useEndpoints } from '../../endpoints/store.ts'
import { useAnswering } from '../../answering/store.ts'
import { useShell } from '../../shell/store.ts'
import { useCompose } from '../store.ts'
import type { KnownAddress } from './addresses.ts'
import { fitting, knownAddresses } from './addresses.ts'
import '../../../components/Options.css'

interface Props {
  readonly url: string
  readonly endpointId: number | null
  /** Why it cannot be sent to; null: nothing is known against it. */
  readonly error: string | null
  readonly onChange: (url: string) => void
}

/** Where it goes: written, or chosen among the addresses that are known. */
export function AddressField({ url, endpointId, error, onChange }: Props) {
  const known = useKnown(endpointId)
  const options = fitting(known, url)
  const box = useCombobox({
    count: options.length,
    completes: false,
    onAccept: (index) => {
      const option = options[index]
      if (option) onChange(option.url)
      box.close()
    },
  })
  return (
    <div className="compose-address">
      <input
        {...box.field}
        className="mono"
        aria-label="Address"
        placeholder="https://…"
        value={url}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        data-address
        aria-invalid={error === null ? undefined : true}
        aria-describedby={error === null ? undefined : 'compose-problems'}
        onChange={(event) => {
          onChange(event.target.value)
          box.open()
        }}
        onClick={() => box.open()}
        onBlur={() => box.close()}
        onKeyDown={(event: KeyboardEvent) => {
          // With Ctrl it sends, from here as from everywhere.
          if (!event.ctrlKey && !event.metaKey) box.onKeyDown(event)
          // Even where there is nothing to choose from now: there may be in a moment.
          if (event.key === 'Escape') box.close()
        }}
      />
      {box.shown && (
        <ul {...box.list} className="options compose-addresses" aria-label="Known addresses">
          {options.map(({ url: address, from }, index) => (
            // The field handles the keys, as a combobox does.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
            <li key={address} {...box.option(index)} className="option">
              <span className="mono cut">{visible(cut(address, 300))}</span>
              <span className="dim compose-address-from">{visible(cut(from, 60))}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function useKnown(endpointId: number | null): readonly KnownAddress[] {
  const listener = useShell((state) => state.listener)
  const endpoints = useEndpoints((state) => state.endpoints)
  const forwards = useAnswering((state) => state.forwards)
  const drafts = useCompose((state) => state.drafts)
  const own = useCompose((state) => state.session?.id)
  const { state } = useQuery('targets.list', {})
  const targets = state.phase === 'ready' ? state.value : none
  return useMemo(
    () =>
      knownAddresses({
        endpoints,
        urlOf: (endpoint) => endpointUrl(listener, endpoint),
        forwards,
        drafts: (drafts ?? []).filter(({ id }) => id !== own),
        targets,
        endpointId,
      }),
    [listener, endpoints, forwards, drafts, own, targets, endpointId],
  )
}

const none: readonly never[] = []
