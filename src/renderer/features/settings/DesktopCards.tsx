import type { Settings } from '#contract/models.ts'
import { useCan } from '../shell/store.ts'
import { SettingsCard } from './Setting.tsx'
import { SwitchSetting } from './SwitchSetting.tsx'

/** What Tabscope does as an app of the system. Only where the host is one. */
export function DesktopCards({ settings }: { readonly settings: Settings }) {
  const background = useCan('background')
  const loginItem = useCan('loginItem')
  const notifications = useCan('notifications')
  return (
    <>
      {(background || loginItem) && (
        <SettingsCard title="Desktop">
          {background && (
            <SwitchSetting name="background" stored="background" settings={settings} />
          )}
          {loginItem && (
            <SwitchSetting name="open-at-login" stored="openAtLogin" settings={settings} />
          )}
        </SettingsCard>
      )}
      {notifications && (
        <SettingsCard
          title="Notifications"
          note="By the system, and few: what comes in a row is told as one."
        >
          <SwitchSetting name="notify-verdicts" stored="notifyVerdicts" settings={settings} />
          <SwitchSetting name="notify-tunnel" stored="notifyTunnel" settings={settings} />
        </SettingsCard>
      )}
    </>
  )
}
