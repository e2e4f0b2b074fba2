-- AlterTable
ALTER TABLE "invitations" ADD COLUMN     "invited_by_machine_id" UUID;
