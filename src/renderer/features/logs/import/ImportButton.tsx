import { FileInput } from 'lucide-react'
import { useRef } from 'react'
import type { Ref } from 'react'
import { Button } from '../../../components/Button.tsx'
import { useClient } from '../../../platform/use-client.ts'
import { useKeys } from '../../shell/command-registry.ts'
import { useCan } from '../../shell/store.ts'
import { askForFile, takeFiles } from './take-files.ts'

interface Props {
  readonly kind?: 'plain' | 'primary'
  readonly buttonRef?: Ref<HTMLButtonElement>
}

/** Chooses files to import: by the host's dialog, or by the browser's. */
export function ImportButton({ kind = 'plain', buttonRef }: Props) {
  const client = useClient()
  const dialogs = useCan('nativeDialogs')
  const input = useRef<HTMLInputElement>(null)
  function choose(): void {
    if (dialogs) void askForFile(client)
    else input.current?.click()
  }
  useKeys({ 'logs-import': choose })
  return (
    <>
      <Button
        ref={buttonRef}
        kind={kind}
        hint="i"
        icon={<FileInput aria-hidden />}
        onClick={choose}
        data-import
      >
        Import…
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        aria-label="Event logs to import"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])]
          event.target.value = ''
          takeFiles(client, files)
        }}
      />
    </>
  )
}
