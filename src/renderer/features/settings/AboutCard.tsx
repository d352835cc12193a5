import { Text } from '../../ui/Layout.tsx'
import { Note } from '../../ui/Note.tsx'
import { useQuery } from '../../platform/use-client.ts'
import { Setting, SettingsCard, useSettingText } from './Setting.tsx'
import type { SettingName } from './registry.ts'
import { CopyVersions, Place, ShowLicences, ShowLog, Versions } from '../about/index.ts'

/** What this Tabscope is, and where it keeps what it has. */
export function AboutCard() {
  const { state } = useQuery('app.about', {})
  if (state.phase === 'loading') return null
  return (
    <SettingsCard title="About">
      {state.phase === 'failed' ? (
        <Note tone="invalid" alert>
          {state.message}
        </Note>
      ) : (
        <>
          <Setting name="version">
            <Words name="version" />
            <Versions about={state.value} />
            <CopyVersions about={state.value} />
          </Setting>
          <Setting name="data-folder">
            <Words name="data-folder" />
            <Place path={state.value.dataDir} label="Copy where the data folder is" />
          </Setting>
          <Setting name="log-file">
            <Words name="log-file" />
            <Place path={state.value.logFile} label="Copy where the log is">
              <ShowLog />
            </Place>
          </Setting>
          <Setting name="licences">
            <Words name="licences" />
            <ShowLicences />
          </Setting>
        </>
      )}
    </SettingsCard>
  )
}

function Words({ name }: { readonly name: SettingName }) {
  const { label, hint } = useSettingText(name)
  return (
    <div>
      <Text as="p" weight="semibold">
        {label}
      </Text>
      <p className="field-hint">{hint}</p>
    </div>
  )
}
