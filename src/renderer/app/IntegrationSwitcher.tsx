import { Icons } from '#kit/icons.tsx'
import { DropdownMenu } from 'radix-ui'
import { type ReactNode, useState } from 'react'
import { Shown } from '#kit/Shown.tsx'
import { useKeys } from '#client/command-registry.ts'
import { useShell } from '#client/state/app.ts'
import { setupAddress } from '#client/addresses/authorization.ts'
import {
  selectIntegration,
  listAllIntegrations,
  listedIntegration,
  useAuthorization,
  useIntegration,
} from '#client/state/authorization.ts'
import { headerName } from '#catalogue/headers.ts'
import { FormDialog } from '#kit/Dialog.tsx'
import { Field } from '#kit/Field.tsx'
import { SecretField } from '#kit/SecretField.tsx'
import { useDraft } from '#kit/use-draft.tsx'
import { useClient } from '#client/use-client.ts'
import * as checks from '#kit/field-checks.ts'
import '#kit/Menu.css'

/** The menu value of "All integrations". The other values are integration IDs. */
const all = 'all'

/** Selects an integration. A run or token in the page URL belongs to the previous one, so the URL changes to the same view without it. */
function select(value: string): void {
  listAllIntegrations(value === all)
  if (value === all) return
  selectIntegration(Number(value))
  const { page, tab } = useShell.getState()
  if (page === 'authorization') location.assign(tab)
}

export function IntegrationSwitcher() {
  const integrations = useAuthorization((state) => state.integrations)
  const current = useIntegration()
  const listsAll = useAuthorization((state) => listedIntegration(state) === null)
  const onePerPage = useShell(({ page }) => page === 'authorization')
  const [creating, setCreating] = useState(false)
  useKeys({ 'integration-new': () => setCreating(true) })
  if (!current) return null
  const showsAll = listsAll && integrations.length > 1 && !onePerPage
  return (
    <>
      {/* Not modal: a modal menu locks scrolling with a style element, which the content security policy refuses. */}
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger
          className="bar-chip max-w-(--measure-aside) font-bold"
          title="Select integration"
        >
          <span className="visually-hidden">Integration: </span>
          <span className="bar-text">
            <span className="cut">
              {showsAll ? 'All integrations' : <Shown text={current.name} max={60} />}
            </span>
          </span>
          <Icons.ChevronDown className="text-dim icon-xs" />
        </DropdownMenu.Trigger>
        {/* No portal, so that it stays within the header's landmark. */}
        <DropdownMenu.Content
          className="menu grid w-(--measure-menu) p-2"
          align="start"
          sideOffset={6}
        >
          <DropdownMenu.RadioGroup
            value={showsAll ? all : String(current.id)}
            onValueChange={select}
          >
            {integrations.length > 1 && (
              <Choice value={all} about="in the list of deliveries">
                All integrations
              </Choice>
            )}
            {integrations.map(({ id, name, kind, baseUrl }) => (
              <Choice
                key={id}
                value={String(id)}
                about={
                  baseUrl !== '' ? (
                    <span className="mono">
                      <Shown text={baseUrl} max={80} />
                    </span>
                  ) : kind === 'sandbox' ? (
                    'built-in simulator'
                  ) : (
                    'no base URL yet'
                  )
                }
              >
                <Shown text={name} max={80} />
              </Choice>
            ))}
          </DropdownMenu.RadioGroup>
          <DropdownMenu.Separator className="mx-0 my-2 h-px bg-line" />
          <DropdownMenu.Item className="menu-item" onSelect={() => location.assign(setupAddress)}>
            <span className="menu-tick">
              <Icons.Settings2 />
            </span>
            Set up {showsAll ? <Shown text={current.name} max={40} /> : 'this integration'}
          </DropdownMenu.Item>
          <DropdownMenu.Item className="menu-item" onSelect={() => setCreating(true)}>
            <span className="menu-tick">
              <Icons.Plus />
            </span>
            New integration
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Root>
      {creating && <NewIntegration onClose={() => setCreating(false)} />}
    </>
  )
}

interface ChoiceProps {
  value: string
  about: ReactNode
  children: ReactNode
}

function Choice({ value, about, children }: ChoiceProps) {
  return (
    <DropdownMenu.RadioItem value={value} className="menu-item">
      <span className="menu-tick">
        <DropdownMenu.ItemIndicator>
          <Icons.Check />
        </DropdownMenu.ItemIndicator>
      </span>
      <span className="menu-words grid min-w-0 flex-1">
        <span className="cut">{children}</span>
        <small className="cut text-dim">{about}</small>
      </span>
    </DropdownMenu.RadioItem>
  )
}

function NewIntegration({ onClose }: { onClose: () => void }) {
  const client = useClient()
  const form = useDraft(
    {
      name: '',
      brand: 'Service',
      baseUrl: '',
      accessId: '',
      accessSecret: '',
      redirectUrl: '',
    },
    ({ name, brand, baseUrl }) => ({
      name: checks.name(name.trim()),
      brand: checks.brand(brand.trim()),
      baseUrl: checks.baseUrl(baseUrl.trim()),
    }),
    // The secret and the redirect URL must match exactly, so neither is trimmed.
    async ({ name, brand, baseUrl, accessId, accessSecret, redirectUrl }) => {
      const created = await client.call('integrations.create', {
        name: name.trim(),
        brand: brand.trim(),
        baseUrl: baseUrl.trim(),
        accessId: accessId.trim(),
        ...(accessSecret !== '' && { accessSecret }),
        redirectUrls: redirectUrl === '' ? [] : [redirectUrl],
        redirectUrl,
      })
      selectIntegration(created.id)
      onClose()
      location.assign(setupAddress)
    },
  )
  const { draft, set, text } = form
  return (
    <FormDialog
      onClose={onClose}
      title="New integration"
      description="One client application, as shown on the service’s integrations dashboard."
      action="Create"
      form={form}
    >
      <Field label="Name" placeholder="Pier 9 staging" {...text('name')} />
      <Field
        label="Brand"
        data-mono
        maxLength={40}
        hint={`The word in header names, as in ${headerName(draft.brand.trim() || '…', 'signature')}.`}
        {...text('brand')}
      />
      <Field
        label="Base URL"
        data-mono
        hint="The address before /manager/oauth. Optional, like the fields below. You can add it later."
        {...text('baseUrl')}
      />
      <Field label="Access ID" data-mono maxLength={1000} {...text('accessId')} />
      <SecretField
        label="Access secret"
        maxLength={4000}
        value={draft.accessSecret}
        onValue={(accessSecret) => set({ accessSecret })}
      />
      <Field
        label="Redirect URL"
        data-mono
        hint="Exactly as listed on the dashboard."
        maxLength={2000}
        {...text('redirectUrl')}
      />
    </FormDialog>
  )
}
