import { isolateName } from '../../web/display-name.ts'
import { returnParameter } from '../../web/return-address.ts'
import type { PageContext } from '../framework/page-context.ts'
import type { ProviderPartsFragment } from '../generated/operations.ts'
import { ProviderStateBadge } from './provider-state.tsx'
import { signInSettingsPath } from './sign-in-overview.tsx'

interface ProviderData {
  team: { identityProvider: ProviderPartsFragment }
}

export const providerPath = `${signInSettingsPath}/:provider`
export const providerTestPath = `${providerPath}/test`
export const providerSettingsPath = `${providerPath}/settings`

/** What the declarations of the pages of an identity provider have in common. */
export const providerPage = {
  title: ({ team: { identityProvider } }: ProviderData) => isolateName(identityProvider.name),
  badge: ({ team: { identityProvider } }: ProviderData) => <ProviderStateBadge {...identityProvider} />,
  parent: signInSettingsPath,
  tabs: [
    { path: providerPath, label: 'Overview' },
    { path: providerTestPath, label: 'Test result' },
    { path: providerSettingsPath, label: 'Settings' },
  ],
  variables: (ctx: PageContext) => ({ team: ctx.param('team'), id: ctx.param('provider') }),
}

/** Returns the address that starts a test sign-in, which ends on the page with its result. */
export const getTestAddress = (ctx: PageContext): string => {
  const [team, provider] = [ctx.param('team'), ctx.param('provider')]
  return `/sign-in/start/${provider}?${new URLSearchParams({ [returnParameter]: `/teams/${team}/sign-in/${provider}/test`, purpose: 'test' })}`
}
