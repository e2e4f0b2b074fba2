-- AlterTable
ALTER TABLE "users" ADD COLUMN     "last_team_id" UUID;
