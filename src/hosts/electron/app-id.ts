/** The `appId` of the package: by this Windows knows whose notifications and entries they are. */
export const APP_ID = 'dev.tabscope.desktop'
