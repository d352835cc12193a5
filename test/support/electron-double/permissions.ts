import type { Cdp } from './cdp.ts'
import type { Session } from './sessions.ts'

const PERMISSIONS: Readonly<Record<string, string>> = {
  camera: 'media',
  'clipboard-read': 'clipboard-read',
  'clipboard-write': 'clipboard-sanitized-write',
  geolocation: 'geolocation',
  'idle-detection': 'idle-detection',
  'keyboard-lock': 'keyboardLock',
  'local-fonts': 'local-fonts',
  microphone: 'media',
  midi: 'midi',
  notifications: 'notifications',
  'persistent-storage': 'persistent-storage',
  'pointer-lock': 'pointerLock',
  'screen-wake-lock': 'screen-wake-lock',
  'storage-access': 'storage-access',
  'window-management': 'window-management',
}

/** Applies the decisions of the app for `url`, requested only once, to the pages of `where`. */
export async function applyPermissions(
  browser: Cdp,
  session: Session,
  url: string,
  where: { readonly browserContextId: string } | { readonly origin: string },
): Promise<void> {
  await Promise.all(
    Object.entries(PERMISSIONS).map(async ([name, asked]) => {
      const granted = await session.grants(asked, url)
      await browser.send('Browser.setPermission', {
        ...where,
        permission: { name },
        setting: granted ? 'granted' : 'denied',
      })
    }),
  )
}
