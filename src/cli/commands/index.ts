import { auditExport } from './audit.ts'
import {
  clientCreate,
  clientDelete,
  clientDisable,
  clientEnable,
  clientList,
  clientRotateSecret,
  clientShow,
  clientUpdate,
} from './accounts/client.ts'
import { clientApprove, clientReject } from './accounts/client-review.ts'
import { backup } from './backup.ts'
import type { Command } from '../command.ts'
import { completion } from './completion.ts'
import { doctor } from './doctor.ts'
import { domainList } from './sign-in/domain.ts'
import { exportCommand } from './export.ts'
import { importCommand } from './import.ts'
import { identityCreate, identityDelete, identityList } from './identities/identity.ts'
import { identityTest } from './identities/test-assertion.ts'
import { keysList, keysRotate } from './keys.ts'
import { keysReencrypt } from './keys-reencrypt.ts'
import { mailList, mailRetry } from './mail.ts'
import { migrateDeploy, migrateStatus } from './migrate.ts'
import { openapi } from './openapi.ts'
import { providerDisable, providerEnable, providerList } from './sign-in/provider.ts'
import { restore } from './restore.ts'
import { teamCreate, teamDelete, teamList, teamRestore } from './accounts/team.ts'
import { teamRequireSignIn } from './sign-in/team-sign-in.ts'
import { teamRequireTwoFactor } from './accounts/team-two-factor.ts'
import { tokenCreate, tokenList, tokenRevoke } from './accounts/token.ts'
import { userCreate, userDelete, userDisable, userEnable, userList, userResetSecondFactor } from './accounts/user.ts'
import { userExport } from './accounts/user-export.ts'
import { userStaff } from './accounts/user-staff.ts'
import { webhookDelete, webhookReplay, webhookRotateSecret, webhookUpdate } from './webhooks/changes.ts'
import { webhookListen } from './webhooks/listen.ts'
import { webhookCreate, webhookList, webhookShow } from './webhooks/webhook.ts'

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  importCommand,
  exportCommand,
  teamCreate,
  teamList,
  teamDelete,
  teamRestore,
  teamRequireTwoFactor,
  teamRequireSignIn,
  userCreate,
  userList,
  userDisable,
  userEnable,
  userResetSecondFactor,
  userStaff,
  userExport,
  userDelete,
  tokenCreate,
  tokenList,
  tokenRevoke,
  clientCreate,
  clientList,
  clientShow,
  clientUpdate,
  clientRotateSecret,
  clientDisable,
  clientEnable,
  clientDelete,
  clientApprove,
  clientReject,
  webhookCreate,
  webhookList,
  webhookShow,
  webhookUpdate,
  webhookRotateSecret,
  webhookReplay,
  webhookDelete,
  webhookListen,
  identityCreate,
  identityList,
  identityTest,
  identityDelete,
  domainList,
  providerList,
  providerDisable,
  providerEnable,
  keysList,
  keysRotate,
  keysReencrypt,
  mailList,
  mailRetry,
  auditExport,
  backup,
  restore,
  migrateStatus,
  migrateDeploy,
  doctor,
  openapi,
  completion,
]
