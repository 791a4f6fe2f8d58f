"""Sentences for descriptions, free of facts that are attributes, and some that hold numbers which are no attribute."""

HOME = '''Beautifully presented throughout and offered with no onward chain.
Set back from the road behind a mature hedge, it enjoys far-reaching views over open farmland.
The current owners have modernised the kitchen to a high standard.
A short walk from the shops, the primary school and the railway station.
Viewing is highly recommended to appreciate the space on offer.
There is a generous rear garden laid mainly to lawn with a paved terrace.
Original features include sash windows, cornicing and stripped floors.
Planning permission has been granted for a side extension.
An ideal first purchase or an addition to a rental portfolio.
The block benefits from a lift, a bicycle store and a secure entry system.
Tucked away at the end of a quiet no-through road.
In need of some updating, with great potential for the right buyer.
Gas fired heating to radiators and double glazing throughout.
A rare opportunity in one of the most sought-after roads of the area.
The kitchen opens on to the garden through wide folding doors.
Tastefully decorated in neutral colours and ready to move into.
Ample storage, a boarded loft and a dry cellar complete the accommodation.
The sitting room has a wood burning stove and exposed beams.
Please call us to arrange an appointment, seven days a week.
Part of a small development by an award-winning builder.'''

HOME_NUMBERS = '''The service charge is £1,180 a year and the ground rent £150 a year.
The lease has 112 years to run.
Fast trains take 38 minutes.
The garden measures about 60ft by 25ft.
Energy rating D (62).
Council tax band C, £1,742 for the current year.
The boiler was fitted in 2019 and has 6 years of guarantee left.'''

CAR = '''Drives superbly and has been very well looked after.
Full service history with a fresh oil change before sale.
Alloy wheels, air conditioning and electric front windows.
Supplied with a full tank and a set of mats.
Bodywork is in lovely condition for its age with no marks worth speaking of.
Any inspection welcome, part exchange considered.
Parking sensors, cruise control and a heated windscreen.
Bluetooth, satellite navigation and voice control.
A very clean example that must be seen.
Nationwide delivery can be arranged, please ask for a quote.
Half leather seats, climate control and privacy glass.
Cheap to insure and easy to park, a perfect first car.
Recently fitted with new front tyres and brake pads.
Warranty included, extended cover is available.
We are open every day, finance is available subject to status.
Not a mark inside, non-smoker, always garaged.'''

CAR_NUMBERS = '''MOT until November with no advisories.
Finance from £129 a month with £500 deposit.
Includes 12 months of breakdown cover worth £79.
Both keys and the original handbook.
Cam belt changed in the spring at a cost of £420.
HPI clear, 114 point check carried out.'''

HOME_NEWS = '''Mortgage rates: what buyers should know this spring
Five ways to get more for your home
First-time buyers return to the market
What happens after an offer is accepted'''

CAR_NEWS = '''How to check a used car in ten minutes
Which small family car costs least to run
Part exchange or private sale?
What the new emission zones mean for you'''
