import { Check, ChevronDown, Plus, Settings2 } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useState } from 'react'
import { Shown } from '../../components/Shown.tsx'
import { cut } from '../../components/text/visible.ts'
import { useKeys } from '../shell/bound.ts'
import { useShell } from '../shell/store.ts'
import { runAddress, setupAddress, tokensAddress, viewOf } from './address.ts'
import { NewIntegration } from './NewIntegration.tsx'
import { chooseIntegration, useAuthorization, useIntegration } from './store.ts'
import './IntegrationSwitcher.css'

/** What the address names belongs to the integration of before: the same view, without it. */
function choose(id: number): void {
  chooseIntegration(id)
  const { page, hash } = useShell.getState()
  if (page !== 'authorization') return
  const { name } = viewOf(hash)
  if (name === 'runs') location.assign(runAddress(null))
  if (name === 'tokens') location.assign(tokensAddress)
}

/** Which integration everything is about, in the bar. */
export function IntegrationSwitcher() {
  const integrations = useAuthorization((state) => state.integrations)
  const current = useIntegration()
  const [creating, setCreating] = useState(false)
  useKeys({ 'integration-new': () => setCreating(true) })
  if (!current) return null
  return (
    <>
      {/* Not modal: a modal menu locks scrolling with a style element, which the content security policy refuses. */}
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger className="bar-chip bar-name" title="The integration">
          <span className="visually-hidden">Integration: </span>
          <span className="cut">
            <Shown text={cut(current.name, 60)} />
          </span>
          <ChevronDown aria-hidden className="bar-more" />
        </DropdownMenu.Trigger>
        {/* Without a portal: it stays within the header's landmark. */}
        <DropdownMenu.Content className="menu" align="start" sideOffset={6}>
          <DropdownMenu.RadioGroup
            value={String(current.id)}
            onValueChange={(id) => choose(Number(id))}
          >
            {integrations.map(({ id, name, kind, baseUrl }) => (
              <DropdownMenu.RadioItem key={id} value={String(id)} className="menu-item">
                <span className="menu-tick">
                  <DropdownMenu.ItemIndicator>
                    <Check aria-hidden />
                  </DropdownMenu.ItemIndicator>
                </span>
                <span className="menu-words">
                  <span className="cut">
                    <Shown text={cut(name, 80)} />
                  </span>
                  <small className="cut dim">
                    {baseUrl !== '' ? (
                      <span className="mono">
                        <Shown text={cut(baseUrl, 80)} />
                      </span>
                    ) : kind === 'sandbox' ? (
                      'the service in miniature'
                    ) : (
                      'no base URL yet'
                    )}
                  </small>
                </span>
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
          <DropdownMenu.Separator className="menu-line" />
          <DropdownMenu.Item className="menu-item" onSelect={() => location.assign(setupAddress)}>
            <span className="menu-tick">
              <Settings2 aria-hidden />
            </span>
            Set up this integration
          </DropdownMenu.Item>
          <DropdownMenu.Item className="menu-item" onSelect={() => setCreating(true)}>
            <span className="menu-tick">
              <Plus aria-hidden />
            </span>
            New integration
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Root>
      {creating && <NewIntegration onClose={() => setCreating(false)} />}
    </>
  )
}
