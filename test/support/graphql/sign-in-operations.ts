const mutationWithInput = (mutation: string, type: string) => `mutation ($input: ${type}!) { ${mutation}(input: $input) { isSignedIn } }`

export const signIn = mutationWithInput('signIn', 'SignInInput')
export const signInWithPasskey = mutationWithInput('signInWithPasskey', 'PasskeyResponseInput')
export const completeSignIn = mutationWithInput('completeSignIn', 'SecondFactorCodeInput')
export const completeSignInWithPasskey = mutationWithInput('completeSignInWithPasskey', 'SecondFactorPasskeyInput')
export const confirmSignIn = mutationWithInput('confirmSignIn', 'ConfirmSignInInput')
export const confirmSignInWithPasskey = mutationWithInput('confirmSignInWithPasskey', 'PasskeyResponseInput')

/** Every mutation that signs in a user or confirms a sign-in. */
export const signInMutations = [
  'signIn',
  'signInWithCode',
  'signInWithPasskey',
  'completeSignIn',
  'completeSignInWithPasskey',
  'confirmSignIn',
  'confirmSignInWithPasskey',
  'beginProviderSignIn',
  'finishProviderSignIn',
  'linkProviderSignIn',
  'proveAccount',
  'requestAccountProof',
  'createProviderAccount',
]
