// How models for Qt are notified of changes: they do their steps when all models of a delivery have
// received theirs.
#ifndef FETCHEDRESULTS_QT_ROUND_HPP
#define FETCHEDRESULTS_QT_ROUND_HPP

#include <algorithm>
#include <memory>

#include "list.hpp"

namespace fetchedresults::qt {

// What takes part in a round: a model.
class Player {
  public:
    virtual ~Player() = default;
    virtual void play() = 0;
    virtual void expect(const ChangeSet &changes) = 0;
};

// The models of one thread that take part in a delivery. All lists show the new state before the
// first observer is notified of the changes, so the steps of all models wait until the last one is
// notified: while one model does its steps, a slot gets correct results from any other model.
class Round {
  public:
    static Round &of_this_thread()
    {
        thread_local Round round;
        return round;
    }

    void expect(Player *player)
    {
        // A model that was not notified in the delivery before will not be: its store was closed,
        // say.
        if (has(waiting_, player)) {
            waiting_.clear();
            play();
        }
        waiting_.push_back(player);
    }
    void notified(Player *player)
    {
        if (!has(ready_, player)) {
            ready_.push_back(player);
        }
        stop_waiting_for(player);
    }
    void stop_waiting_for(Player *player)
    {
        waiting_.erase(std::remove(waiting_.begin(), waiting_.end(), player), waiting_.end());
        if (waiting_.empty()) {
            play();
        }
    }
    void remove(Player *player)
    {
        ready_.erase(std::remove(ready_.begin(), ready_.end(), player), ready_.end());
        stop_waiting_for(player);
    }

  private:
    static bool has(const std::vector<Player *> &players, Player *player)
    {
        return std::find(players.begin(), players.end(), player) != players.end();
    }
    void play()
    {
        // A slot may delete another model.
        while (!ready_.empty()) {
            Player *player = ready_.front();
            ready_.erase(ready_.begin());
            player->play();
        }
    }

    std::vector<Player *> waiting_, ready_;
};

// Observes a list for a model, until it is destroyed or the list is freed.
class Watcher {
  public:
    Watcher(ListRef list, Player &player)
    {
        // The list destroys it with the observer.
        const auto waits = std::make_shared<Waits>(&player);
        is_observed_ = waits;
        Observer observer;
        observer.will_change = [waits] {
            if (Player *observing = waits->player) {
                observing->play();
                Round::of_this_thread().expect(observing);
            }
        };
        observer.did_deliver = [waits](const ChangeSet &changes) {
            if (Player *observing = waits->player) {
                observing->expect(changes);
                Round::of_this_thread().notified(observing);
            }
        };
        observation_ = list.observe(std::move(observer));
    }
    ~Watcher()
    {
        if (const auto waits = is_observed_.lock()) {
            Player *const player = std::exchange(waits->player, nullptr);
            Round::of_this_thread().remove(player);
        }
        observation_.remove();
    }
    Watcher(const Watcher &) = delete;
    Watcher &operator=(const Watcher &) = delete;

  private:
    struct Waits {
        explicit Waits(Player *player_) noexcept : player(player_) {}
        ~Waits()
        {
            if (player != nullptr) {
                Round::of_this_thread().stop_waiting_for(player);
            }
        }
        Waits(const Waits &) = delete;
        Waits &operator=(const Waits &) = delete;
        Player *player;
    };

    Observation observation_;
    std::weak_ptr<Waits> is_observed_;
};

} // namespace fetchedresults::qt

#endif
