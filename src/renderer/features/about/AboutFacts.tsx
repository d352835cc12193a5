import { Icons } from '../../ui/icons.tsx'
import type { ReactNode } from 'react'
import type { About } from '#contract/desktop.ts'
import { Grid, Row } from '../../ui/Layout.tsx'
import { Fact } from '../../ui/Fact.tsx'
import { Button, CopyButton } from '../../ui/Button.tsx'
import { shortText } from '../../ui/text/visible.ts'
import { useClient } from '../../platform/use-client.ts'
import { openDialog } from '../../state/overlays.ts'
import { showLogFile } from '../../platform/system.ts'
import './About.css'

export function Versions({ about }: { readonly about: About }) {
  return (
    <Grid as="dl" columns="key 1" gap={1} gapX={5}>
      {about.versions.map(({ name, version }) => (
        <Fact key={name} name={name} mono>
          {shortText(version, 200)}
        </Fact>
      ))}
    </Grid>
  )
}

export function CopyVersions({
  about,
  primary,
}: {
  readonly about: About
  readonly primary?: boolean
}) {
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
  readonly path: string
  readonly label: string
  readonly children?: ReactNode
}

export function CopyablePath({ path, label, children }: PathProps) {
  return (
    <Row align="center" gap={3} anywhere>
      <span className="mono selectable">{shortText(path, 1000)}</span>
      <CopyButton text={path} label={label} />
      {children}
    </Row>
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
