import { Icons } from '#kit/icons.tsx'
import type { ReactNode } from 'react'
import type { About } from '#contract/desktop.ts'
import { Fact } from '#kit/Table.tsx'
import { Button, CopyButton } from '#kit/Button.tsx'
import { shortText } from '#kit/text/visible.ts'
import { useClient } from '#client/use-client.ts'
import { openDialog } from '#client/state/overlays.ts'
import { showLogFile } from '#client/system.ts'

export function Versions({ about }: { about: About }) {
  return (
    <dl className="grid grid-cols-key-1 gap-1 gap-x-5">
      {about.versions.map(({ name, version }) => (
        <Fact key={name} name={name} mono>
          {shortText(version, 200)}
        </Fact>
      ))}
    </dl>
  )
}

export function CopyVersions({ about, primary }: { about: About; primary?: boolean }) {
  return (
    <CopyButton
      text={() => aboutText(about, navigator.userAgent)}
      label="Copy versions"
      words="Copy versions"
      kind={primary ? 'primary' : 'plain'}
    />
  )
}

interface PathProps {
  path: string
  label: string
  children?: ReactNode
}

export function CopyablePath({ path, label, children }: PathProps) {
  return (
    <div className="flex items-center gap-3 wrap-anywhere">
      <span className="mono select-text">{shortText(path, 1000)}</span>
      <CopyButton text={path} label={label} />
      {children}
    </div>
  )
}

export function ShowLog() {
  const client = useClient()
  return (
    <Button icon={Icons.FolderOpen} onClick={() => void showLogFile(client)}>
      Show in folder
    </Button>
  )
}

export function ShowLicences() {
  return (
    <Button icon={Icons.ScrollText} onClick={() => openDialog('licences')}>
      Show licenses
    </Button>
  )
}

/** One line for each part. Paths are left out because they can contain the user's name. `browser`: the user agent of the interface. */
function aboutText({ versions }: Pick<About, 'versions'>, browser: string): string {
  const parts = versions.map(({ name, version }) => `${name} ${version}`)
  return [...parts, `Interface ${browser}`].join('\n')
}
