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
import { backup, restore } from './backup.ts'
import type { Command } from '../command.ts'
import { completion } from './completion.ts'
import { doctor } from './doctor.ts'
import { domainList, providerDisable, providerEnable, providerList, teamRequireSignIn } from './sign-in.ts'
import { exportCommand, importCommand } from './import-export.ts'
import { identityCreate, identityDelete, identityList, identityTest } from './identities.ts'
import { keysList, keysRotate, keysReencrypt } from './keys.ts'
import { mailList, mailRetry } from './mail.ts'
import { migrateDeploy, migrateStatus } from './migrate.ts'
import { openapi } from './openapi.ts'
import { teamCreate, teamDelete, teamList, teamRestore, teamRequireTwoFactor } from './accounts/team.ts'
import { tokenCreate, tokenList, tokenRevoke } from './accounts/token.ts'
import { userCreate, userDelete, userDisable, userEnable, userList, userResetSecondFactor, userExport, userStaff } from './accounts/user.ts'
import { webhookDelete, webhookReplay, webhookRotateSecret, webhookUpdate } from './webhooks/webhook-changes.ts'
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
