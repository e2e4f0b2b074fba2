import type { Page } from 'playwright-core'

/** Adds a virtual authenticator of Chromium to the tab, which stores and uses passkeys. Returns a function that sets whether its user verification succeeds. */
export async function addAuthenticator(page: Page, { offersAutofill = false } = {}) {
  // A virtual authenticator selects its passkey as soon as a page offers it. Most tests use the button instead.
  if (!offersAutofill)
    await page.addInitScript('if (window.PublicKeyCredential) PublicKeyCredential.isConditionalMediationAvailable = async () => false')
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return (isUserVerified: boolean) => session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
}
