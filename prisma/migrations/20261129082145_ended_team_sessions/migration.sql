-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "ended_team_ids" UUID[] DEFAULT ARRAY[]::UUID[];
